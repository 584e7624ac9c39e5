import { letterKeys, signKeys } from '../state/device/key-preferences.ts'
import { keyLabel } from '../ui/keyboard/key-labels.ts'
import { combinationOf } from '../ui/keyboard/keys.ts'
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
