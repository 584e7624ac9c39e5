import type { SortKey } from '../../../shared/domain/sorting.ts'

/** The columns of the list, in the order on screen, with the ids of their headings. */
export const listColumns: readonly { readonly by: SortKey; readonly label: string }[] = [
  { by: 'name', label: 'listing.name' },
  { by: 'size', label: 'listing.size' },
  { by: 'modified', label: 'listing.modified' },
]
