import { createPersonalStore } from '../../../state/personal.ts'

/** The state of the quick look: closed, above the middle of the listing, or above the whole window. */
export const quickLook = createPersonalStore<'closed' | 'open' | 'full'>('closed')
