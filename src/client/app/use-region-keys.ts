import { focusContent } from './focus-content.ts'
import { useKeyScope } from '../ui/keyboard/use-key-scope.ts'

/**
 * Makes F6 and Shift+F6 move the focus between the regions of the page: header, sidebar, content, uploads and notices.
 * The last two are regions only while they are on screen.
 */
export function useRegionKeys(): void {
  useKeyScope(
    'page',
    ({ key, ctrlKey, altKey, shiftKey }) => {
      if (key !== 'F6' || ctrlKey || altKey) return false
      focusRegion(shiftKey ? -1 : 1)
      return true
    },
    'with-field-keys',
  )
}

function focusRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) =>
      region.closest('[inert]') === null &&
      region.getClientRects().length > 0 &&
      // A file on the whole screen covers the header and the sidebar.
      getComputedStyle(region).visibility === 'visible',
  )
  // The details are a region inside of the content.
  const current = regions.findLastIndex((region) => region.contains(document.activeElement))
  const start = current === -1 && step === -1 ? regions.length : current
  const region = regions[(start + step + regions.length) % regions.length]
  if (region?.id === 'content') focusContent()
  else
    (
      region?.querySelector<HTMLElement>('[tabindex="0"], a[href], button:not(:disabled), input') ?? region
    )?.focus()
}
