import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { splitName } from '../../../../shared/domain/names.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import type { Listing } from '../../../listing/grid/listing.ts'
import { folderListing, foundListing } from '../../../listing/grid/shown-listings.ts'
import { keyOfEntry, type ListedEntry } from '../../../state/listed-entry.ts'
import { notifyFailure } from '../../../state/notices.ts'
import { currentRows } from '../../../listing/rows/folder-rows.ts'
import { openFolder, openFolderAt } from '../../../state/open-folder.ts'
import { closePrompt, prompt, reasonFor, type RefusedName } from '../../../state/prompt.ts'
import { session } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import type { NameCheckResult } from '../name-check.ts'
import { renameOrAskAgain } from './rename-or-ask-again.ts'
import styles from './inline-rename.module.css'

type InlineRenameProps = {
  readonly folder: Path
  readonly entry: ListedEntry
  /** The name that the server has refused before. */
  readonly refused: RefusedName | undefined
  /** Checks the typed name, as the dialog does. */
  readonly check: (typed: string) => NameCheckResult
}

/**
 * Renames an entry in its row. Enter and a click elsewhere rename it when the name is allowed, Tab goes on to the next
 * row, and Escape cancels. When the row is not on screen, the dialog opens instead.
 */
export function InlineRename({ folder, entry, refused, check }: InlineRenameProps) {
  const { name } = entry
  const [typed, setTyped] = useState(refused?.typed ?? name)
  const [opened] = useState(prompt.get)
  const [listing] = useState(() => listingOf(folder))
  const input = useRef<HTMLInputElement>(null)
  const { name: to, isAllowed, error: fault } = check(typed)
  const reason = reasonFor(typed, refused)
  const error = fault ?? reason

  const finish = (): void => {
    if (prompt.get() !== opened) return
    closePrompt()
    if (isAllowed) renameOrAskAgain({ folder, entry, to, isInline: true })
    else openFolderAt(folder)?.focus(name)
  }
  const leave = (): void => {
    if (reason === null) finish()
    else if (prompt.get() === opened) closePrompt()
  }
  const goOn = (step: 1 | -1): void => {
    const rows = currentRows(listing.columns.get())
    const next = rows.entryAt(rows.indexOfId(listing.selection.get().focusId) + step)
    if (next === undefined) return finish()
    const { folder: home = folder, ...entryBeside } = next
    // The loss of the focus must not rename the entry once more.
    prompt.set({ kind: 'rename', folder: home, entry: entryBeside, isInline: true })
    openFolderAt(home)?.focus(next.name)
    if (isAllowed) renameOrAskAgain({ folder, entry, to, isInline: true, movesFocus: false })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing || !['Enter', 'Tab', 'Escape'].includes(event.key)) return
    event.preventDefault()
    if (event.key === 'Escape') {
      closePrompt()
      openFolderAt(folder)?.focus(name)
    } else if (fault !== null) return
    else if (event.key === 'Enter') finish()
    else goOn(event.shiftKey ? -1 : 1)
  }

  const { edited } = listing
  const slot = useStore(edited)?.slot ?? null
  useLayoutEffect(() => {
    edited.set({ key: keyOfEntry(entry, folder), slot: null })
    return () => edited.set(null)
  }, [edited, entry, folder])
  useEffect(() => {
    const fieldOrDialog = (): void => {
      if (prompt.get() !== opened) return
      if (input.current === null)
        prompt.set({ kind: 'rename', folder, entry, isInline: false, ...(refused && { refused }) })
      else focusStem(input.current, entry)
    }
    const frame = requestAnimationFrame(fieldOrDialog)
    return () => cancelAnimationFrame(frame)
  }, [opened, folder, entry, refused])
  const onGone = useEffectEvent((): void => {
    if (prompt.get() !== opened) return
    closePrompt()
    notifyFailure(t(isAllowed ? 'failed.rename.gone' : 'failed.gone', { name, to }))
  })
  useEffect(() => watchRow({ listing, folder, name, onGone: () => onGone() }), [listing, folder, name])
  return (
    slot &&
    createPortal(
      <span role="presentation" className={styles.field} onKeyDown={onKeyDown}>
        <input
          ref={input}
          className={styles.input}
          aria-label={t('prompt.rename.text', { name: visibleName(name) })}
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : 'rename-error'}
          value={typed}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="auto"
          onChange={({ target }) => setTyped(target.value)}
          onBlur={({ target }) => isLeft(target) && leave()}
        />
        {error !== null && (
          <span id="rename-error" className={styles.error} role="alert">
            {error}
          </span>
        )}
      </span>,
      slot,
    )
  )
}

/**
 * Returns true when the user has left the field. The window loses the focus as well when the user looks at another
 * program, and the field loses it when the session has ended.
 */
const isLeft = (field: HTMLElement): boolean =>
  document.hasFocus() && field.isConnected && session.get().kind !== 'ended'

/** Focuses the field and selects the name in it without its extension. For a folder, the whole name is selected. */
function focusStem(input: HTMLInputElement, { isFolder }: ListedEntry): void {
  input.focus()
  input.setSelectionRange(0, isFolder ? input.value.length : splitName(input.value).stem.length)
}

/** Returns the list with the entries of a folder: the rows of the open folder, or the results of a search. */
const listingOf = (folder: Path): Listing =>
  openFolder.get()?.folder === folder ? folderListing : foundListing

type WatchedRow = {
  readonly listing: Listing
  readonly folder: Path
  readonly name: string
  readonly onGone: () => void
}

/**
 * Calls a function when an entry has no row any more. Changes by others wait while a name is edited, so this happens only
 * when the whole folder has been fetched again. Returns the function that stops.
 */
function watchRow({ listing, folder, name, onGone }: WatchedRow): () => void {
  const check = (): void => {
    const isClosed = listing === folderListing && openFolder.get()?.folder !== folder
    if (!isClosed && openFolderAt(folder)?.has(name) !== true) onGone()
  }
  const { columns } = listing
  let stopSummary = columns.get().summary.subscribe(check)
  const stopColumns = columns.subscribe(() => {
    stopSummary()
    stopSummary = columns.get().summary.subscribe(check)
    check()
  })
  const stopFolder = openFolder.subscribe(check)
  return () => {
    stopFolder()
    stopColumns()
    stopSummary()
  }
}
