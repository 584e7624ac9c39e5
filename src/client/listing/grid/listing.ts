import type { ReactNode } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { rowOrderOf } from '../../../shared/domain/sorting.ts'
import type { ContextMenuPlace } from '../../state/context-menu.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { noSelection, type Selection } from '../../state/selection.ts'
import type { Store } from '../../state/store.ts'
import type { ScrolledTo } from '../../state/scrolled-to.ts'
import { createColumns, type ListingColumns } from '../rows/columns.ts'
import type { BadgePart } from './badge-part.ts'
import type { TileLayout } from '../tiles/tile-layout.ts'
import type { GridGeometry } from './geometry.ts'

/**
 * The functions with which keyboard handlers, operations and the code that restores scroll positions control the grid
 * on screen.
 */
export type GridHandle = {
  readonly element: () => HTMLElement | null
  readonly geometry: () => GridGeometry
  /** Returns the number of lines that are completely visible. */
  readonly pageLines: () => number
  /** Focuses a row and scrolls it into view. */
  readonly focusIndex: (index: number) => void
  /** Focuses a row without scrolling. */
  readonly focusInPlace: (index: number) => void
  /** Focuses the button of the column by which the rows are sorted. */
  readonly focusHeader: () => void
  readonly topPx: () => number
  readonly scrollTo: (topPx: number) => void
  /** Returns how far the list is scrolled, for a later visit. */
  readonly scrolledTo: () => ScrolledTo
  /** Scrolls to where the list was scrolled in an earlier visit. */
  readonly restore: (position: ScrolledTo) => void
  /** Scrolls to content that has changed. Only the rows in view are rendered before the next paint. */
  readonly jumpTo: (topPx: number) => void
}

/** The rows that have just appeared, because somebody else or another program created their entries. */
type NewRows = { readonly columns: ListingColumns | null; readonly ids: ReadonlySet<number> }

/** The row in which the user renames an entry, by the key of the entry, and the element that has the place of its name. */
type EditedRow = { readonly key: string; readonly slot: HTMLElement | null }

/** The rows that the search shows instead of all rows of a folder. */
export type ListFilter = {
  readonly folder: Path
  readonly shown: ListingColumns
  /** Renders a name with its matching parts marked. */
  readonly renderName: (name: string) => ReactNode
}

/** A list of entries on screen: its rows, what is selected and has the focus in it, and what its rows show besides the facts. */
export type Listing = {
  /** The id of the list's element in the document. */
  readonly id: string
  /** The rows on screen. Components get the rows of a rendering as a property; the handlers of events read this store. */
  readonly columns: Store<ListingColumns>
  /** The selected rows and the row with the focus. Its `folder` is the folder of rows that name no folder of their own. */
  readonly selection: Store<Selection>
  /** The rows that are shown instead of all rows, or null. */
  readonly filter: Store<ListFilter | null>
  readonly edited: Store<EditedRow | null>
  /** Keeps the element that a row offers for the field in which its name is edited. */
  readonly offerSlot: (slot: HTMLElement | null) => void
  readonly newRows: Store<NewRows>
  /** The reasons why the last operation was refused, by the key of the entry (`keyOfEntry`). */
  readonly failures: Store<ReadonlyMap<string, string>>
  /** The part that marks entries with badges, or null while it is not loaded. */
  readonly badges: Store<BadgePart | null>
  /** The layout of a gallery, or null while it is decided. The tiles are not visible then. */
  readonly tiles: Store<TileLayout | null>
  /** The place in which the row with the focus is shown: above the middle of the list, or above the whole window. */
  readonly quickLook: Store<'closed' | 'open' | 'full'>
  /** The menu that a right click and a long press open, or null for rows without a menu. */
  readonly menu: Store<ContextMenuPlace | null> | null
  /** False for rows that can only be opened. Then no more than the row with the focus is selected. */
  readonly canSelect: Store<boolean>
  /** Returns the lists on the same screen, this list among them. */
  readonly listsOnScreen: () => readonly Listing[]
  /** The functions of the grid, or null while the list is not on screen. */
  readonly grid: { current: GridHandle | null }
}

export type ListingSource = Pick<Listing, 'id' | 'menu' | 'listsOnScreen'>

const noColumns = (): ListingColumns => createColumns(rowOrderOf({ by: 'name', asc: false }))

/** Creates a listing without rows. Its state is reset when another user signs in. */
export function createListing({ id, menu, listsOnScreen }: ListingSource): Listing {
  const edited = createPersonalStore<EditedRow | null>(null)
  return {
    id,
    menu,
    listsOnScreen,
    columns: createPersonalStore(noColumns()),
    selection: createPersonalStore<Selection>(noSelection),
    canSelect: createPersonalStore(true),
    filter: createPersonalStore<ListFilter | null>(null),
    edited,
    offerSlot: (slot) => edited.set((now) => now && { ...now, slot }),
    newRows: createPersonalStore<NewRows>({ columns: null, ids: new Set() }),
    failures: createPersonalStore<ReadonlyMap<string, string>>(new Map()),
    badges: createPersonalStore<BadgePart | null>(null),
    tiles: createPersonalStore<TileLayout | null>(null),
    quickLook: createPersonalStore<'closed' | 'open' | 'full'>('closed'),
    grid: { current: null },
  }
}
