import { useEffect } from 'react'
import { activeListing } from '../../../listing/grid/shown-listings.ts'
import { handleKey } from '../../../listing/keys/list-keys.ts'
import { isSystemKeyPressed } from '../../../ui/keys.ts'
import { isKeyTaken, isTextField } from '../../../ui/key-targets.ts'
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
      const listing = activeListing.get()
      if (handleKey(hasList ? listing : null, event, effectsIn(listing))) event.preventDefault()
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
