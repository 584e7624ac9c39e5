import type { Path } from '../../shared/domain/path.ts'
import { createPersonalStore } from './personal.ts'

/**
 * The pinned folders in the user's order, and the key under which this browser keeps them. The key is empty until
 * `startPins` has loaded them.
 */
export type PinnedFolders = { readonly key: string; readonly folders: readonly Path[] }

/** The pinned folders of the signed-in user in this browser. */
export const pinned = createPersonalStore<PinnedFolders>({ key: '', folders: [] })
