import { type RefObject, useEffect, useRef, useState } from 'react'
import { ChevronLeft, ChevronRight, Search, X } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { directed } from '../../../ui/icon.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import type { ToolDrawer } from './tool.ts'
import { ToolList } from './toolbar.tsx'
import styles from './search-tool.module.css'

/** A search in the content of a viewer. */
export type ViewerSearch = {
  readonly query: string
  readonly setQuery: (query: string) => void
  /** The number of matches, or null while they are searched. */
  readonly total: number | null
  /** The index of the current match, from 0. */
  readonly current: number
  /** Goes to the next or to the previous match. */
  readonly step: (by: 1 | -1) => void
}

/**
 * Returns the tool that searches in the content. `onLeave` gives the focus to the content, when the search that had it was
 * closed.
 */
export function useSearchTool(search: ViewerSearch, onLeave: () => void): ToolDrawer {
  const field = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isClosable = useMedia(mobileQuery)
  const close = (): void => {
    search.setQuery('')
    setOpen(false)
    onLeave()
  }
  return {
    kind: 'drawer',
    icon: Search,
    label: t('viewer.search'),
    keys: ['ctrl+f'],
    isOpen,
    run: () => (field.current === null ? setOpen(true) : field.current.select()),
    content: <SearchField field={field} search={search} onClose={isClosable ? close : null} />,
  }
}

type SearchFieldProps = {
  readonly field: RefObject<HTMLInputElement | null>
  readonly search: ViewerSearch
  /** Closes a search that was opened by a button. Null for a search that is always open. */
  readonly onClose: (() => void) | null
}

function SearchField({
  field,
  search: { query, setQuery, total, current, step },
  onClose,
}: SearchFieldProps) {
  const isClosable = onClose !== null
  useEffect(() => {
    if (isClosable) field.current?.focus()
  }, [isClosable, field])
  const blockedBy = total === null || total === 0 ? t('viewer.noMatches') : undefined
  return (
    <>
      <input
        ref={field}
        type="search"
        className={styles.search}
        placeholder={t('viewer.searchShort')}
        aria-label={t('viewer.search')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          if (event.key !== 'Escape') return
          event.preventDefault()
          if (query === '') onClose?.()
          else setQuery('')
        }}
      />
      {query.trim() !== '' && (
        <ToolList
          opensUp={false}
          tools={[
            { kind: 'text', text: matchText(current, total) },
            {
              icon: directed(ChevronLeft),
              label: t('viewer.previousMatch'),
              blockedBy,
              run: () => step(-1),
            },
            {
              icon: directed(ChevronRight),
              label: t('viewer.nextMatch'),
              blockedBy,
              run: () => step(1),
            },
          ]}
        />
      )}
      {isClosable && <IconButton icon={X} label={t('search.close')} onClick={onClose} />}
    </>
  )
}

function matchText(current: number, total: number | null): string {
  if (total === null) return t('viewer.searching')
  return total === 0 ? t('viewer.noMatches') : t('viewer.position', { position: current + 1, total })
}
