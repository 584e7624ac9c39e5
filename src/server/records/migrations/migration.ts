import type { Database } from '../tables.ts'

/** One step forward; there is no way back but the copy that is made before. */
export type Migration = { readonly name: string; readonly up: (database: Database) => Promise<void> }
