import { createPersonalStore } from './personal.ts'

export type Announcement = { readonly id: number; readonly text: string }

/**
 * The texts for screen readers, which read `polite` texts when they are idle and `assertive` texts (errors)
 * immediately.
 */
export const announcements = {
  polite: createPersonalStore<Announcement>({ id: 0, text: '' }),
  assertive: createPersonalStore<Announcement>({ id: 0, text: '' }),
}

/** Makes screen readers read a text. A text that is announced twice is read twice. */
export const announce = (text: string, politeness: 'polite' | 'assertive' = 'polite'): void =>
  announcements[politeness].set(({ id }) => ({ id: id + 1, text }))
