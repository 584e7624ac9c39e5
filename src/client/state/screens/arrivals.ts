import { createPersonalStore } from '../personal.ts'

/** The sentence that an empty open folder shows while files are being uploaded into it. Null without such uploads. */
export const arrivals = createPersonalStore<string | null>(null)
