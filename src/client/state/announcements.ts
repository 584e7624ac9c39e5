import { createStore } from './store.ts'

export type Announcement = { readonly id: number; readonly text: string }

/** What screen readers are told: `polite` when they have time, `assertive` at once (errors). */
export const announcements = {
  polite: createStore<Announcement>({ id: 0, text: '' }),
  assertive: createStore<Announcement>({ id: 0, text: '' }),
}

/** Says a text to screen readers; the same text twice is said twice. */
export const announce = (text: string, manner: 'polite' | 'assertive' = 'polite'): void =>
  announcements[manner].set(({ id }) => ({ id: id + 1, text }))
