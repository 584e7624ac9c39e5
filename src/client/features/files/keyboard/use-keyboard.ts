import { useEffect, useRef } from 'react'
import { isAvailable } from '../../../actions/action.ts'
import { actions } from '../../../actions/actions.ts'
import { prompt } from '../../../state/prompt.ts'
import { currentActionContext } from '../open-folder/action-context.ts'
import { combinationOf } from './key-combination.ts'
import { handleListKey, type ListKeyDependencies, typeAhead } from './list-keys.ts'

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
      if (isHandledElsewhere(event)) return
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
  const isInList = list !== null && (isPage(event.target) || isRow(event.target))
  const isLetter = !event.ctrlKey && !event.metaKey && !event.altKey
  if (isInList && handleListKey(list, event)) return true
  if (isInList && isLetter && event.key === 'Backspace' && typeAhead(list, event)) return true
  if (runAction(event)) return true
  return isInList && isLetter && event.key !== ' ' && typeAhead(list, event)
}

/**
 * Runs the action that belongs to a key. Returns true for every key that belongs to an action, so that the browser
 * never handles the key, even while the action is not available.
 */
function runAction(event: KeyboardEvent): boolean {
  const combination = combinationOf(event)
  const action = actions.find(({ keys }) => keys.includes(combination))
  const context = currentActionContext()
  if (action === undefined || action.isNative || context === null) return false
  if (isAvailable(action, context)) void action.run(context)
  return true
}

/**
 * Returns true when the user is typing in a field, a prompt or a menu is open, or another listener has handled the
 * event.
 */
function isHandledElsewhere(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.defaultPrevented || event.isComposing || prompt.get().kind !== 'none') return true
  if (!(target instanceof HTMLElement)) return false
  const isField =
    target.isContentEditable ||
    (target.matches('input, textarea, select') && !target.matches('[type="checkbox"]'))
  return isField || target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null
}

const isPage = (target: EventTarget | null): boolean =>
  target === document.body || target === document.documentElement

const isRow = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches('[data-index]') || target.matches('[data-part="listing"], main'))
