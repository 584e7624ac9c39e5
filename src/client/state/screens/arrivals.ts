import { createPersonalStore } from '../personal.ts'

/** What is on its way into the open folder, as a sentence for the folder while it is still empty. Null without uploads. */
export const arrivals = createPersonalStore<string | null>(null)
