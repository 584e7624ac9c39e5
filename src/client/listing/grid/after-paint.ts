import { startTransition } from 'react'

/**
 * Runs a state update after the next frame is painted, as a transition: React interrupts its rendering for the user's
 * input.
 */
export const updateAfterPaint = (update: () => void): void => {
  requestAnimationFrame(() => setTimeout(() => startTransition(update)))
}
