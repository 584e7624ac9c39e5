import { useEffect } from 'react'
import { isAvailable } from '../../../actions/action.ts'
import { actionOfKey, isKeyTaken, isTextField } from '../../../actions/action-keys.ts'
import { contextOfAction } from '../../../actions/page-context.ts'
import { activeListing } from '../../../listing/grid/shown-listings.ts'
import {
  endTypingAfterOtherKeys,
  handleListKey,
  isListKey,
  typeAhead,
} from '../../../listing/keys/list-keys.ts'
import { isSystemKeyPressed } from '../../../ui/keys.ts'
import { currentActionContext } from '../open-folder/action-context.ts'
import { effectsIn } from './list-effects.ts'

/** The device of the user's last input. When a folder was opened with the keyboard, its first row gets the focus. */
export let lastInputKind: 'keyboard' | 'pointer' = 'pointer'

/**
 * Handles the keys of the whole page while the files screen is shown: the keys of the list, the keys of actions, and
 * typed letters that jump to a name. `hasList` is false while no list is on screen.
 */
export function useKeyboard(hasList: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      lastInputKind = 'keyboard'
      if (isKeyTaken(event) || isTextField(event.target) || isSystemKeyPressed(event)) return
      if (handleKey(hasList, event)) event.preventDefault()
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
  }, [hasList])
}

function handleKey(hasList: boolean, event: KeyboardEvent): boolean {
  const isInList = hasList && isListKey(event)
  const list = activeListing.get()
  const isLetter = !event.ctrlKey && !event.metaKey && !event.altKey
  endTypingAfterOtherKeys(event)
  if (isInList && handleListKey(list, event, effectsIn(list))) return true
  if (isInList && isLetter && event.key === 'Backspace' && typeAhead(list, event)) return true
  if (runAction(event)) return true
  return isInList && isLetter && event.key !== ' ' && typeAhead(list, event)
}

/**
 * Runs the action that belongs to a key. Returns true for every key that belongs to an action, so that the browser
 * never handles the key, even while the action is not available.
 */
function runAction(event: KeyboardEvent): boolean {
  const action = actionOfKey(event)
  const open = currentActionContext()
  if (action === undefined || action.isNative || open === null) return false
  const context = contextOfAction(action, open)
  if (isAvailable(action, context)) void (action.runByKey ?? action.run)(context)
  return true
}
