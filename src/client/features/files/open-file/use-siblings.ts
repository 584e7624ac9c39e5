import { useEffect, useEffectEvent, useRef } from 'react'
import { useQuery } from '../../../api/use-query.ts'
import type { FileType } from '../../../../shared/domain/file-types.ts'
import { nameOf, parentOf, type Path } from '../../../../shared/domain/path.ts'
import { orderOf } from '../../../../shared/domain/sorting.ts'
import { call, CallError } from '../../../api/call.ts'
import { gridViewOf } from '../../../listing/grid/grid-view.ts'
import { removeRows, renameRow } from '../../../listing/rows/column-changes.ts'
import { type ListingColumns, createColumns } from '../../../listing/rows/columns.ts'
import { useFolderRows } from '../../../listing/rows/folder-rows.ts'
import { fetchRows } from '../../../listing/rows/row-stream.ts'
import { shownOrderOf } from '../../../listing/taken/shown-order.ts'
import { takenTimes } from '../../../listing/taken/taken-times.ts'
import { viewModeOf } from '../../../state/device/folder-views.ts'
import { entryChanged, neighboursChanged } from '../../../state/entry-changes.ts'
import { type Siblings, siblingsIn } from '../../viewers/screen/siblings.ts'
import { addressLoader } from '../open-folder/address-loader.ts'

/** The types of files between which the arrow keys move (specification 2). Texts open in the editor instead. */
const siblingTypes: ReadonlySet<FileType> = new Set(['image', 'video', 'audio', 'pdf', 'blob'])

const noColumns = createColumns(orderOf({ by: 'name', asc: false }))

/**
 * Returns the files before and after an open file, in the order of the listing. The rows are those of the listing that
 * was open before, or are fetched.
 */
export function useSiblings(path: Path): {
  readonly siblings: Siblings
  /** False until the rows of the folder have come. */
  readonly areKnown: boolean
} {
  const folder = parentOf(path)
  const isChanged = useRef(false)
  const { data, refetch } = useQuery({
    queryKey: ['siblings', folder],
    queryFn: ({ signal }) => columnsOf(folder, { signal, isFresh: isChanged.current }),
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  })
  useOwnChanges(folder, data)
  useChangesBeside(folder, () => {
    isChanged.current = true
    void refetch()
  })
  const view = gridViewOf(viewModeOf(folder))
  const columns = shownOrderOf({ key: folder, columns: data ?? noColumns, view }, takenTimes.get())
  const rows = useFolderRows(columns)
  return {
    siblings: siblingsIn(rows, nameOf(path), (type) => siblingTypes.has(type)),
    areKnown: data !== undefined,
  }
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

/** The time after a change by others until the rows are fetched again, in milliseconds. One request covers all changes meanwhile. */
const settleMs = 500

/** Calls a function some time after others have changed files beside the open one. */
function useChangesBeside(folder: Path, onChange: () => void): void {
  const report = useEffectEvent(onChange)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = neighboursChanged.subscribe((changed) => {
      if (changed.folder !== folder) return
      timer ??= setTimeout(() => {
        timer = undefined
        report()
      }, settleMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [folder])
}

/** Returns the rows of a folder: those of the listing that was open before, unless they have to be fetched because others have changed them. */
async function columnsOf(
  folder: Path,
  { signal, isFresh }: { readonly signal: AbortSignal; readonly isFresh: boolean },
): Promise<ListingColumns> {
  const known = isFresh ? null : addressLoader.folderAt(folder)
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
