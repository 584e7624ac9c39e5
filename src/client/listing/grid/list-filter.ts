import { useLayoutEffect } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { useStore } from '../../state/store.ts'
import type { ListingColumns } from '../rows/columns.ts'
import { folderListing } from './shown-listings.ts'

/** The folder on screen, to which the search applies its filter. */
export type FilterTarget = {
  readonly folder: Path
  readonly columns: ListingColumns
}

export const filterTarget = createPersonalStore<FilterTarget | null>(null)

/** Registers the folder on screen as the target of the filter, and returns the columns to show: all rows or the filtered rows. */
export function useFilteredColumns({ folder, columns }: FilterTarget): ListingColumns {
  useLayoutEffect(() => {
    const target = { folder, columns }
    filterTarget.set(target)
    return () => filterTarget.set((now) => (now === target ? null : now))
  }, [folder, columns])
  const filter = useStore(folderListing.filter)
  const shown = filter?.folder === folder ? filter.shown : columns
  useLayoutEffect(() => folderListing.columns.set(shown), [shown])
  return shown
}
