import { type KeyboardEvent, type SyntheticEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { splitName } from '../../../../shared/domain/names.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import { rowEditor } from '../../../listing/rows/row-editor.ts'
import { createOperationContext } from '../../../operations/operation-context.ts'
import { renameEntry } from '../../../operations/rename.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { openFolder } from '../../../state/open-folder.ts'
import { closePrompt, prompt } from '../../../state/prompt.ts'
import { session } from '../../../state/session.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import type { NameCheckResult } from '../name-check.ts'
import styles from './inline-rename.module.css'

type InlineRenameProps = {
  readonly folder: Path
  readonly entry: ListedEntry
  /** Checks the typed name, as the dialog does. */
  readonly check: (typed: string) => NameCheckResult
}

/**
 * Renames an entry in its row. Enter and a click elsewhere rename it when the name is allowed, Tab goes on to the next
 * row, and Escape cancels. When the row is not on screen, the dialog opens instead.
 */
export function InlineRename({ folder, entry, check }: InlineRenameProps) {
  const { name } = entry
  const [typed, setTyped] = useState(name)
  const [opened] = useState(prompt.get)
  const input = useRef<HTMLInputElement>(null)
  const { name: to, isAllowed, error } = check(typed)

  const finish = (): void => {
    if (prompt.get() !== opened) return
    closePrompt()
    if (isAllowed) void renameEntry(createOperationContext(), { folder, from: name, to })
    else openFolder.get()?.focus(name)
  }
  const goOn = (step: 1 | -1): void => {
    const next = openFolder.get()?.entryBeside(name, step) ?? null
    if (next === null) return finish()
    if (isAllowed) void renameEntry(createOperationContext(), { folder, from: name, to, movesFocus: false })
    openFolder.get()?.focus(next.name)
    prompt.set({ kind: 'rename', folder, entry: next, isInline: true })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing || !['Enter', 'Tab', 'Escape'].includes(event.key)) return
    event.preventDefault()
    if (event.key === 'Escape') {
      closePrompt()
      openFolder.get()?.focus(name)
    } else if (error !== null) return
    else if (event.key === 'Enter') finish()
    else goOn(event.shiftKey ? -1 : 1)
  }

  useLayoutEffect(() => {
    const field = (
      <span
        role="presentation"
        className={styles.field}
        onPointerDown={stop}
        onClick={stop}
        onDoubleClick={stop}
        onKeyDown={onKeyDown}
      >
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
          onBlur={({ target }) => isLeft(target) && finish()}
        />
        {error !== null && (
          <span id="rename-error" className={styles.error} role="alert">
            {error}
          </span>
        )}
      </span>
    )
    rowEditor.set({ name, field })
  })
  useLayoutEffect(() => () => rowEditor.set(null), [])
  useEffect(() => {
    const fieldOrDialog = (): void => {
      if (prompt.get() !== opened) return
      if (input.current === null) prompt.set({ kind: 'rename', folder, entry, isInline: false })
      else focusStem(input.current, entry)
    }
    const frame = requestAnimationFrame(fieldOrDialog)
    return () => cancelAnimationFrame(frame)
  }, [opened, folder, entry])
  useEffect(() => closeWithoutRow(folder, name), [folder, name])
  return null
}

/**
 * Returns true when the user has left the field. The window loses the focus as well when the user looks at another
 * program, and the field loses it when the session has ended.
 */
const isLeft = (field: HTMLElement): boolean =>
  document.hasFocus() && field.isConnected && session.get().kind !== 'ended'

/** Focuses the field and selects the name without its extension. For a folder, the whole name is selected. */
function focusStem(input: HTMLInputElement, { name, isFolder }: ListedEntry): void {
  input.focus()
  input.setSelectionRange(0, isFolder ? name.length : splitName(name).stem.length)
}

const stop = (event: SyntheticEvent): void => event.stopPropagation()

/** Closes the field when its row has disappeared, because another program has removed or renamed the entry. */
function closeWithoutRow(folder: Path, name: string): () => void {
  const open = openFolder.get()
  if (open?.folder !== folder) return () => {}
  return open.counts.subscribe(() => {
    if (!open.has(name)) closePrompt()
  })
}
