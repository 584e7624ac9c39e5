import { useEffect } from 'react'
import { watchOpenedResults } from '../features/files/open-file/opened-from-search.ts'
import { useClockTicks } from '../i18n/use-clock-ticks.ts'
import { useFocusKeeper } from './use-focus-keeper.ts'
import { useGlobalKeys } from './use-global-keys.ts'
import { useRegionKeys } from './use-region-keys.ts'
import { useUndoGuard } from './use-undo-guard.ts'

/**
 * Handles the keys that work on every screen, keeps the focus in the page, advances the relative times, and remembers which
 * file was opened from a search. Renders nothing.
 */
export function PageKeys() {
  useRegionKeys()
  useGlobalKeys()
  useUndoGuard()
  useFocusKeeper()
  useClockTicks()
  useEffect(watchOpenedResults, [])
  return null
}
