import { lazyModule } from '../../../state/parts/lazy-part.ts'

export const filesAfterRows = lazyModule(async () => (await import('../after-rows.ts')).filesParts)
