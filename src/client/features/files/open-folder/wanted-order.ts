import type { ListingOrder } from '../../../../shared/domain/sorting.ts'
import { createPersonalStore } from '../../../state/personal.ts'

/** The order that the user has chosen last, from the choice until the rows have this order. Null at all other times. */
export const wantedOrder = createPersonalStore<ListingOrder | null>(null)
