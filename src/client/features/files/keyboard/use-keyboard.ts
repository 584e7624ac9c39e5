import { useEffect, useRef } from 'react'
import { isAvailable } from '../../../actions/action.ts'
import { actionOfKey, isKeyTaken, isTextField } from '../../../actions/action-keys.ts'
import { isSystemKeyPressed } from '../../../ui/keys.ts'
import { currentActionContext } from '../open-folder/action-context.ts'
import { endTypingAfterOtherKeys, handleListKey, type ListKeyDependencies, typeAhead } from './list-keys.ts'

/** The device of the user's last input. When a folder was opened with the keyboard, its first row gets the focus. */
export let lastInputKind: 'keyboard' | 'pointer' = 'pointer'

/**
 * Handles the keys of the whole page while the files screen is shown: the keys of the list, the keys of actions, and
 * typed letters that jump to a name. `list` is null while no list is on screen.
 */
export function useKeyboard(list: ListKeyDependencies | null): void {
  const latest = useRef(list)
  useEffect(() => {
    latest.current = list
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      lastInputKind = 'keyboard'
      if (isKeyTaken(event) || isTextField(event.target) || isSystemKeyPressed(event)) return
      if (handleKey(latest.current, event)) event.preventDefault()
    }
    const onPointer = (): void => {
      lastInputKind = 'pointer'
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onPointer, true)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onPointer, true)
    }
  }, [])
}

function handleKey(list: ListKeyDependencies | null, event: KeyboardEvent): boolean {
  const isInList = list !== null && isListKey(event)
  const isLetter = !event.ctrlKey && !event.metaKey && !event.altKey
  endTypingAfterOtherKeys(event)
  if (isInList && handleListKey(list, event)) return true
  if (isInList && isLetter && event.key === 'Backspace' && typeAhead(list.listing, event)) return true
  if (runAction(event)) return true
  return isInList && isLetter && event.key !== ' ' && typeAhead(list.listing, event)
}

/**
 * Runs the action that belongs to a key. Returns true for every key that belongs to an action, so that the browser
 * never handles the key, even while the action is not available.
 */
function runAction(event: KeyboardEvent): boolean {
  const action = actionOfKey(event)
  const context = currentActionContext()
  if (action === undefined || action.isNative || context === null) return false
  if (isAvailable(action, context)) void (action.runByKey ?? action.run)(context)
  return true
}

/**
 * Returns true when a key belongs to the list: while the page or a row has the focus, and also while a button or a link has
 * it that does not use the key. A press on *Switch view* or on a link in the sidebar therefore leaves the list usable.
 */
export function isListKey({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('body, html, main, [data-index], [data-part="listing"]')) return true
  if (target.closest(widgets) !== null) return false
  return !((key === 'Enter' || key === ' ') && target.closest(pressable) !== null)
}

/** Elements that use letters, arrows or other keys of the list themselves. */
const widgets =
  'input, select, textarea, video, audio, iframe, [contenteditable], ' +
  '[role="slider"], [role="separator"], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [role="tree"], [role="tablist"]'

/** Elements that Enter or Space presses. */
const pressable = 'a, button, summary, [role="button"], [role="menuitem"], [role="option"]'
