import { createStore } from '../store.ts'

/** What is on its way into the open folder, as a sentence for the folder while it is still empty. Null without uploads. */
export const arrivals = createStore<string | null>(null)
