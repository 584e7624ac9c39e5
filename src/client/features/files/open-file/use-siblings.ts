import { useEffect } from 'react'
import { useQuery } from '../../../api/use-query.ts'
import type { FileType } from '../../../../shared/domain/file-types.ts'
import { nameOf, parentOf, type Path } from '../../../../shared/domain/path.ts'
import { orderOf } from '../../../../shared/domain/sorting.ts'
import { call, CallError } from '../../../api/call.ts'
import { removeRows, renameRow } from '../../../listing/rows/column-changes.ts'
import { type ListingColumns, createColumns } from '../../../listing/rows/columns.ts'
import { type FolderRows, useFolderRows } from '../../../listing/rows/folder-rows.ts'
import { fetchRows } from '../../../listing/rows/row-stream.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { entryChanged } from '../../../state/entry-changes.ts'
import { addressLoader } from '../open-folder/address-loader.ts'

/** The other files of the folder that the arrows and keys of an open file lead to. */
export type Siblings = {
  /** The position of the open file among the files of its kind in the folder, from 1. 0 when it is none of them. */
  readonly position: number
  readonly total: number
  readonly previous: ListedEntry | null
  readonly next: ListedEntry | null
  readonly first: ListedEntry | null
  readonly last: ListedEntry | null
  /** Returns the files before and after another file of the folder. */
  readonly around: (path: Path) => Siblings
  /** The files of these types in the folder, in the order of the listing. Empty while the listing is loaded. */
  readonly entriesOf: (types: ReadonlySet<FileType>) => readonly ListedEntry[]
  /** The pictures and films of the folder. */
  readonly pictures: () => PictureSequence
}

/** The pictures and films of a folder in the order of the listing. Only those that are asked for become entries. */
export type PictureSequence = {
  readonly total: number
  /** The index of the open file, or -1 when it is none of them. */
  readonly openIndex: number
  readonly entryAt: (index: number) => ListedEntry | null
}

/** The types of files between which the arrow keys move (specification 2). Texts open in the editor instead. */
const siblingTypes: ReadonlySet<FileType> = new Set(['image', 'video', 'audio', 'pdf', 'blob'])

const noColumns = createColumns(orderOf({ by: 'name', asc: false }))

/**
 * Returns the files before and after an open file, in the order of the listing. The rows are those of the listing that
 * was open before, or are fetched.
 */
export function useSiblings(path: Path): Siblings {
  const folder = parentOf(path)
  const { data } = useQuery({
    queryKey: ['siblings', folder],
    queryFn: ({ signal }) => columnsOf(folder, signal),
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  })
  useOwnChanges(folder, data)
  const rows = useFolderRows(data ?? noColumns)
  return siblingsIn(rows, path)
}

/** Applies the changes of this tab to the rows. While a file is open, no listing is on screen that would do so. */
function useOwnChanges(folder: Path, columns: ListingColumns | undefined): void {
  useEffect(() => {
    if (columns === undefined) return undefined
    return entryChanged.subscribe(({ from, to }) => {
      if (from === null || parentOf(from) !== folder) return
      if (to !== null && parentOf(to) === folder) renameRow(columns, nameOf(from), nameOf(to))
      else removeRows(columns, [nameOf(from)])
    })
  }, [folder, columns])
}

async function columnsOf(folder: Path, signal: AbortSignal): Promise<ListingColumns> {
  const known = addressLoader.folderAt(folder)
  if (known !== null) return known.columns
  const response = await fetchRows(
    {
      request: (headers, signal) => call('resources.get', { path: folder, isFolder: true, headers, signal }),
      yieldToBrowser: () => new Promise((resolve) => setTimeout(resolve)),
      nowMs: () => performance.now(),
    },
    { etag: null, signal, onFirstRows: () => undefined },
  )
  if (response.kind !== 'folder') throw new CallError(0)
  return response.folder.columns
}

function siblingsIn(rows: FolderRows, path: Path): Siblings {
  const { total: count } = rows.summary
  const own = rows.indexOfName(nameOf(path))
  let [position, total, previous, next, first, last] = [0, 0, -1, -1, -1, -1]
  for (let index = 0; index < count; index += 1) {
    if (!siblingTypes.has(rows.typeAt(index))) continue
    total += 1
    if (first === -1) first = index
    last = index
    if (index < own) previous = index
    else if (index === own) position = total
    else if (next === -1 && own !== -1) next = index
  }
  const entryAt = (index: number): ListedEntry | null => (index === -1 ? null : (rows.entryAt(index) ?? null))
  return {
    position,
    total,
    previous: entryAt(previous),
    next: entryAt(next),
    first: entryAt(first),
    last: entryAt(last),
    around: (other) => siblingsIn(rows, other),
    entriesOf: (types) =>
      Array.from({ length: count }, (_, index) => index).flatMap((index) =>
        types.has(rows.typeAt(index)) ? (entryAt(index) ?? []) : [],
      ),
    pictures: () => picturesIn(rows, own),
  }
}

function picturesIn(rows: FolderRows, own: number): PictureSequence {
  const at: number[] = []
  for (let index = 0; index < rows.summary.total; index += 1)
    if (['image', 'video'].includes(rows.typeAt(index))) at.push(index)
  return {
    total: at.length,
    openIndex: at.indexOf(own),
    entryAt: (index) => rows.entryAt(at[index] ?? -1) ?? null,
  }
}
