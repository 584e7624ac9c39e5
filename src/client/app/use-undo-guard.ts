import { useEffect } from 'react'
import { isTextField } from '../ui/keyboard/key-targets.ts'
import { keyPressed } from '../ui/keyboard/key-scopes.ts'
import { combinationOf } from '../ui/keyboard/keys.ts'

/**
 * Keeps the undo and redo keys of the browser from changing a text field that does not have the focus. Chromium applies
 * them to the field that was edited last: Ctrl+Shift+Z in the list would bring back a search that was cleared.
 */
export function useUndoGuard(): void {
  useEffect(
    () =>
      keyPressed.subscribe((event) => {
        if (isUndoKey(event) && !isTextField(event.target)) event.preventDefault()
      }),
    [],
  )
}

/** Returns true for the keys of undo and redo. On macOS, ⌘Y opens the history of the browser. */
const isUndoKey = (event: KeyboardEvent): boolean =>
  ['ctrl+z', 'ctrl+shift+z'].includes(combinationOf(event)) ||
  (event.ctrlKey && combinationOf(event) === 'ctrl+y')
