import { useFocusKeeper } from './use-focus-keeper.ts'
import { useGlobalKeys } from './use-global-keys.ts'
import { useRegionKeys } from './use-region-keys.ts'

/**
 * Handles the keys that work on every screen, and keeps the focus in the page. Renders nothing. The component is in a
 * separate chunk, because the first rows do not need it.
 */
export function PageKeys() {
  useRegionKeys()
  useGlobalKeys()
  useFocusKeeper()
  return null
}
