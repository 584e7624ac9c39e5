import { letterKeys, signKeys } from '../state/device/key-preferences.ts'
import { prompt } from '../state/prompt.ts'
import { combinationOf, keyLabel } from '../ui/keys.ts'
import type { Action } from './action.ts'
import { actions } from './actions.ts'

/** Returns the keys of an action that work now. Keys that type a character can be switched off in the help. */
export const activeKeys = ({ keys }: Action): readonly string[] => keys.filter(isSwitchedOn)

function isSwitchedOn(key: string): boolean {
  if (key.length > 1) return true
  return (/[a-z]/.test(key) ? letterKeys : signKeys).get() === 'on'
}

/** Returns the first active key of an action as text for menus and tooltips, or undefined for an action without keys. */
export function keyHintOf(action: Action): string | undefined {
  const [key = action.listKey] = activeKeys(action)
  return key === undefined ? undefined : keyLabel(key)
}

/** Returns the action that belongs to a key press. */
export function actionOfKey(event: KeyboardEvent): Action | undefined {
  const combination = combinationOf(event)
  return actions.find((action) => activeKeys(action).includes(combination))
}

/**
 * Returns true while keys belong to something other than the page: another listener has handled the event, an input
 * method composes text, or a prompt, a dialog or a menu is open.
 */
export function isKeyTaken({ target, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  if (defaultPrevented || isComposing || prompt.get().kind !== 'none') return true
  const layers = '[role="dialog"], [role="alertdialog"], [role="menu"]'
  return target instanceof HTMLElement && target.closest(layers) !== null
}

/** Returns true when the user types text into the element. */
export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type="checkbox"], [type="range"]), textarea, select'))
