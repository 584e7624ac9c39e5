import type { ResourceItem } from '../../../shared/contract/resources.ts'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { createStore } from '../../state/store.ts'
import type { SharePath } from './share-address.ts'

/** Returns the entries of a response in the order in which the folder at a path of a share shows them. */
export type EntrySorter = (
  items: readonly ResourceItem[],
  order: ListingOrder,
  path: SharePath,
) => readonly ListedEntry[]

/**
 * The function that sorts entries, for the links of an open file to the other files. It is null until the code of shared
 * folders is loaded, which contains it. The page requests that code when it starts.
 */
export const entrySorter = createStore<EntrySorter | null>(null)
