import { lazyModule } from '../state/parts/lazy-part.ts'

export const operationsAfterRows = lazyModule(async () => (await import('./after-rows.ts')).operationsParts)
