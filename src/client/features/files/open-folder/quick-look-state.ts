import { createPersonalStore } from '../../../state/personal.ts'

/** How the quick look is shown: not at all, above the middle of the listing, or above the whole window. */
export const quickLook = createPersonalStore<'closed' | 'open' | 'full'>('closed')
