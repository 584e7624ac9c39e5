import { useEffect } from 'react'
import { refreshLinksAfterChanges } from '../features/files/badges/use-badges.ts'
import { watchOpenedResults } from '../features/files/open-file/opened-from-search.ts'
import { useClockTicks } from '../i18n/use-clock-ticks.ts'
import { useFocusKeeper } from './use-focus-keeper.ts'
import { useGlobalKeys } from './use-global-keys.ts'
import { useRegionKeys } from './use-region-keys.ts'
import { useUndoGuard } from './use-undo-guard.ts'

/**
 * Handles the keys that work on every screen, keeps the focus in the page, advances the relative times, remembers which file
 * was opened from a search, and keeps the list of links up to date. Renders nothing.
 */
export function PageKeys() {
  useRegionKeys()
  useGlobalKeys()
  useUndoGuard()
  useFocusKeeper()
  useClockTicks()
  useEffect(watchOpenedResults, [])
  useEffect(refreshLinksAfterChanges, [])
  return null
}
