import { createStore } from './store.ts'

/** The names of the slots of the frame, which the current screen fills. */
export type SlotName = 'header-search' | 'header-actions' | 'below-header' | 'status'

/** The elements of the slots, while the frame is on screen. */
export const slots = createStore<Readonly<Partial<Record<SlotName, HTMLElement>>>>({})

export function registerSlot(name: SlotName, element: HTMLElement): () => void {
  slots.set((now) => ({ ...now, [name]: element }))
  return () => slots.set(({ [name]: _gone, ...rest }) => rest)
}
