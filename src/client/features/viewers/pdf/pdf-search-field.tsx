import { useEffect, useRef } from 'react'
import { ChevronLeft, ChevronRight, Search, X } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useKeyScope } from '../../../ui/keyboard/use-key-scope.ts'
import { isCtrlPressed } from '../../../ui/keyboard/keys.ts'
import type { PdfSearch } from './use-pdf-search.ts'
import styles from './pdf.module.css'
import { directed } from '../../../ui/icon.tsx'

type PdfSearchFieldProps = {
  readonly search: PdfSearch
  /** Closes a search that was opened by a button. A search without it is always open. */
  readonly onClose?: () => void
}

/** Renders the search of a PDF: the field, the number of matches, and the buttons that lead to the other matches. */
export function PdfSearchField({ search, onClose }: PdfSearchFieldProps) {
  const { query, matches, current, step } = search
  const field = useRef<HTMLInputElement>(null)
  const isClosable = onClose !== undefined
  useFindKey(() => field.current?.select())
  useEffect(() => {
    if (isClosable) field.current?.focus()
  }, [isClosable])
  const isSearching = query.trim() !== ''
  const total = matches?.length ?? 0
  const blockedBy = total === 0 ? t('viewer.noMatches') : undefined
  return (
    <>
      <input
        ref={field}
        type="search"
        className={styles.search}
        placeholder={t('viewer.searchShort')}
        aria-label={t('viewer.search')}
        value={query}
        onChange={(event) => search.setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          if (event.key !== 'Escape') return
          event.preventDefault()
          if (query === '') onClose?.()
          else search.setQuery('')
        }}
      />
      {isSearching && (
        <>
          <output className={styles.count}>
            {matches === null
              ? t('viewer.searching')
              : total === 0
                ? t('viewer.noMatches')
                : t('viewer.position', { position: current + 1, total })}
          </output>
          <IconButton
            icon={directed(ChevronLeft)}
            label={t('viewer.previousMatch')}
            blockedBy={blockedBy}
            onClick={() => step(-1)}
          />
          <IconButton
            icon={directed(ChevronRight)}
            label={t('viewer.nextMatch')}
            blockedBy={blockedBy}
            onClick={() => step(1)}
          />
        </>
      )}
      {isClosable && <IconButton icon={X} label={t('search.close')} onClick={onClose} />}
    </>
  )
}

/** Renders the button that opens the search where there is no room for its field. */
export function PdfSearchButton({ onOpen }: { readonly onOpen: () => void }) {
  useFindKey(onOpen)
  return (
    <IconButton icon={Search} label={t('viewer.search')} className={styles.searchButton} onClick={onOpen} />
  )
}

/** Runs a function at Ctrl+F, which searches the folder where no document has the key. */
function useFindKey(run: () => void): void {
  useKeyScope(
    'viewer',
    (event) => {
      const isFindKey = event.key === 'f' && isCtrlPressed(event) && !event.altKey && !event.shiftKey
      if (isFindKey) run()
      return isFindKey
    },
    'with-field-keys',
  )
}
