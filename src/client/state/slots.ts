import { createStore } from './store.ts'

/** Places of the frame that the screen inside it fills. */
export type SlotName = 'header-search' | 'header-actions' | 'below-header'

/** The elements that stand for the places, while the frame is on screen. */
export const slots = createStore<Readonly<Partial<Record<SlotName, HTMLElement>>>>({})

export function offerSlot(name: SlotName, element: HTMLElement): () => void {
  slots.set((now) => ({ ...now, [name]: element }))
  return () => slots.set(({ [name]: _gone, ...rest }) => rest)
}
