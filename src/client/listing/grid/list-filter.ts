import { type ReactNode, type RefObject, useLayoutEffect } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { useStore } from '../../state/store.ts'
import type { ListingColumns } from '../rows/columns.ts'
import type { GridHandle } from './grid-handle.ts'

/** The folder on screen, to which the search applies its filter. */
export type FilterTarget = {
  readonly folder: Path
  readonly columns: ListingColumns
  readonly grid: RefObject<GridHandle | null>
}

/** The rows that the search shows instead of all rows of a folder. */
export type ListFilter = {
  readonly folder: Path
  readonly shown: ListingColumns
  /** Renders a name with its matching parts marked. */
  readonly renderName: (name: string) => ReactNode
}

export const filterTarget = createPersonalStore<FilterTarget | null>(null)
/** The filter of the folder on screen, or null while all rows are shown. The code of the search sets it. */
export const listFilter = createPersonalStore<ListFilter | null>(null)

/** Registers the folder on screen as the target of the filter, and returns the columns to show: all rows or the filtered rows. */
export function useFilteredColumns({ folder, columns, grid }: FilterTarget): ListingColumns {
  useLayoutEffect(() => {
    const target = { folder, columns, grid }
    filterTarget.set(target)
    return () => filterTarget.set((now) => (now === target ? null : now))
  }, [folder, columns, grid])
  const filter = useStore(listFilter)
  return filter?.folder === folder ? filter.shown : columns
}
