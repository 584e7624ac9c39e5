import { useEffect } from 'react'
import { holdKey } from '../features/prompts/held-text.ts'
import { useClockTicks } from '../i18n/use-clock-ticks.ts'
import { useFocusKeeper } from './use-focus-keeper.ts'
import { useGlobalKeys } from './use-global-keys.ts'
import { useRegionKeys } from './use-region-keys.ts'
import { useUndoGuard } from './use-undo-guard.ts'

/**
 * Handles the keys that work on every screen, keeps the focus in the page, and advances the relative times. Renders
 * nothing. The component is in a separate chunk, because the first rows do not need it.
 */
export function PageKeys() {
  useRegionKeys()
  useGlobalKeys()
  useUndoGuard()
  useFocusKeeper()
  useHeldKeys()
  useClockTicks()
  return null
}

/** Keeps the text that is typed between the shortcut of a palette and the first rendering of its field. */
function useHeldKeys(): void {
  useEffect(() => {
    addEventListener('keydown', holdKey, true)
    return () => removeEventListener('keydown', holdKey, true)
  }, [])
}
