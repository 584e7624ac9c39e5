/** Loads the operations that move and copy entries. The first rows do not need them. */
export const loadTransfers = () => import('../operations/start-transfer.ts')
