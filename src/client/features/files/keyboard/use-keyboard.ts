import { useEffect } from 'react'
import { activeListing } from '../../../listing/grid/shown-listings.ts'
import { handleKey } from '../../../listing/keys/list-keys.ts'
import { keyPressed } from '../../../ui/keyboard/key-scopes.ts'
import { useKeyScope } from '../../../ui/keyboard/use-key-scope.ts'
import { effectsIn } from './list-effects.ts'

/** The device of the user's last input. When a folder was opened with the keyboard, its first row gets the focus. */
export let lastInputKind: 'keyboard' | 'pointer' = 'pointer'

/**
 * Handles the keys of the whole page while the files screen is shown: the keys of the list, the keys of actions, and
 * typed letters that jump to a name. `hasList` is false while no list is on screen.
 */
export function useKeyboard(hasList: boolean): void {
  useKeyScope('screen', (event) => {
    const listing = activeListing.get()
    return handleKey(hasList ? listing : null, event, effectsIn(listing))
  })
  useEffect(() => {
    const onPointer = (): void => {
      lastInputKind = 'pointer'
    }
    const stop = keyPressed.subscribe(() => {
      lastInputKind = 'keyboard'
    })
    document.addEventListener('pointerdown', onPointer, true)
    return () => {
      stop()
      document.removeEventListener('pointerdown', onPointer, true)
    }
  }, [])
}
