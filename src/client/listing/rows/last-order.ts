import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import { createPersonalStore } from '../../state/personal.ts'

/** The order of the rows that were shown last. A folder whose rows are still loading has most probably the same order. */
export const lastOrder = createPersonalStore<ListingOrder>({
  by: 'name',
  descending: false,
  folders: 'first',
})
