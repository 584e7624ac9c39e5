import type { Path } from '../../shared/domain/path.ts'
import { createPersonalStore } from './personal.ts'

/** The entries of a folder for which the last operation was refused, with the reasons that their rows show. */
export type RowFailures = { readonly folder: Path | null; readonly reasons: ReadonlyMap<string, string> }

export const rowFailures = createPersonalStore<RowFailures>({ folder: null, reasons: new Map() })

/** Returns the reasons by name of entry. Empty for all folders but the folder of the last refused operation. */
export const reasonsIn = ({ folder, reasons }: RowFailures, open: Path | null): ReadonlyMap<string, string> =>
  folder === open ? reasons : new Map()
