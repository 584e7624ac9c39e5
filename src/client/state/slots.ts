import { createStore } from './store.ts'

/**
 * The names of the slots: areas of the frame that the current screen fills, and areas of
 * the frame and of the listing that are filled after the first rows.
 */
export type SlotName =
  | 'header-actions'
  | 'page-notice'
  | 'search-results'
  | 'status'
  | 'folder-actions'
  | 'selection'
  | 'search'
  | 'sidebar-folders'
  | 'sidebar-new-files'
  | 'sidebar-usage'
  | 'sidebar-theme'
  | 'sidebar-resizer'

/** The elements of the slots, while the frame is on screen. */
export const slots = createStore<Readonly<Partial<Record<SlotName, HTMLElement>>>>({})

export function registerSlot(name: SlotName, element: HTMLElement): () => void {
  slots.set((now) => ({ ...now, [name]: element }))
  return () => slots.set(({ [name]: _gone, ...rest }) => rest)
}
