import { lazyModule } from '../../state/parts/lazy-part.ts'

export const listingAfterRows = lazyModule(async () => (await import('../after-rows.ts')).listingParts)
