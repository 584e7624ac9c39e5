import { createPersonalStore } from '../../state/personal.ts'

/** The rows that have just appeared in a listing, because somebody else or another program created their entries. */
type NewRows = { readonly listing: object | null; readonly ids: ReadonlySet<number> }

export const newRows = createPersonalStore<NewRows>({ listing: null, ids: new Set() })
