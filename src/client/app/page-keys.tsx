import { useEffect } from 'react'
import { watchOpenedResults } from '../features/files/open-file/opened-from-search.ts'
import { closeLoadingPrompt, holdKey } from '../features/prompts/held-text.ts'
import { config } from '../api/config.ts'
import { useClockTicks } from '../i18n/use-clock-ticks.ts'
import { startRecentPlaces } from '../state/saved-recent-places.ts'
import { useFocusKeeper } from './use-focus-keeper.ts'
import { useGlobalKeys } from './use-global-keys.ts'
import { useRegionKeys } from './use-region-keys.ts'
import { useUndoGuard } from './use-undo-guard.ts'

// Keeps the text that is typed between the shortcut of a palette and the first rendering of its field. This begins when the
// module is loaded, because the list opens a palette as soon as its rows are shown, which can be before `PageKeys` is rendered.
addEventListener('keydown', holdKey, true)
addEventListener('keydown', closeLoadingPrompt, true)
startRecentPlaces(config().BaseURL)

/**
 * Handles the keys that work on every screen, keeps the focus in the page, advances the relative times, and remembers which
 * file was opened from a search. Renders nothing. The component is in a separate chunk, because the first rows do not need it.
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
