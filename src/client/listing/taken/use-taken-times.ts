import { useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import type { TakenLine } from '../../../shared/contract/previews.ts'
import { bytesOf, createNdjsonReader } from '../../../shared/domain/ndjson-reader.ts'
import type { Listing } from '../grid/listing.ts'
import type { FolderRows } from '../rows/folder-rows.ts'
import { isInView } from '../../ui/measuring/is-in-view.ts'
import { sumOfSizesAndTimes } from '../rows/sum-of-sizes-and-times.ts'
import { type FolderTakenTimes, type TakenTimes, takenTimes } from './taken-times.ts'

/** The time without a change of the rows after which the times are requested, in milliseconds. The first thumbnails come before. */
const restMs = 300

/**
 * The numbers of folders and of times that are remembered. The limit of times is for all folders together: a time has about 100 bytes
 * with its name, so they take about 10 MB.
 */
const maxFolders = 20
const maxTimes = 100_000

/** The largest folder whose times the server lists (`limits.takenTimesEntries`). */
const maxEntries = 20_000

type TakenTimesOptions = {
  /** The key under which the times are remembered: the path of the folder. */
  readonly key: string
  readonly listing: Listing
  readonly rows: FolderRows
  /** True for a gallery that shows all rows of the folder, for somebody who may download them. */
  readonly isGallery: boolean
  /** Requests the times. Rejects when the server refuses them. */
  readonly request: (signal: AbortSignal) => Promise<Response>
}

/**
 * Loads the times at which the pictures in a folder were taken, once for each version of a folder that is a gallery by date. They are
 * remembered when all of them have arrived, so that the rows move once. Rows without times stay when the server refuses them.
 */
export function useTakenTimes({ key, listing, rows, isGallery, request }: TakenTimesOptions): void {
  const { summary, sortedBy } = rows
  const isWanted =
    isGallery && sortedBy.by === 'modified' && summary.isComplete && summary.total <= maxEntries
  const load = useEffectEvent(async (sum: number, signal: AbortSignal): Promise<void> => {
    const response = await request(signal)
    const times = await timesIn(response)
    if (!signal.aborted) inPlace(listing, () => remember(key, { times, sum }))
  })
  useEffect(() => {
    if (!isWanted || !hasPictures(rows)) return undefined
    const sum = sumOfSizesAndTimes(listing.columns.get())
    if (takenTimes.get().get(key)?.sum === sum) return undefined
    const controller = new AbortController()
    const timer = setTimeout(() => void load(sum, controller.signal).catch(() => undefined), restMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [key, listing, rows, isWanted])
}

function hasPictures({ summary, typeAt }: FolderRows): boolean {
  for (let index = summary.folders; index < summary.total; index += 1)
    if (typeAt(index) === 'image') return true
  return false
}

/** Reads the times of a response. Cameras write no time zone, so the times are taken as those of the browser's zone. */
async function timesIn(response: Response): Promise<TakenTimes> {
  const lines = createNdjsonReader()
  const times = new Map<string, number>()
  for await (const bytes of bytesOf(response))
    for (const line of lines.push(bytes))
      for (const [name, time] of line as TakenLine) times.set(name, new Date(time).getTime())
  return times
}

function remember(key: string, folder: FolderTakenTimes): void {
  const folders = new Map(takenTimes.get())
  folders.delete(key)
  folders.set(key, folder)
  let count = 0
  for (const { times } of folders.values()) count += times.size
  for (const [oldest, { times }] of folders) {
    if (folders.size === 1 || (folders.size <= maxFolders && count <= maxTimes)) break
    folders.delete(oldest)
    count -= times.size
  }
  takenTimes.set(folders)
}

/**
 * Moves the rows of a list, and then scrolls it so that the row with the focus stays where it is on screen. The grid keeps the row at the
 * top of the view where no row in view has the focus. A list at its start whose first row has the focus stays at its start.
 */
function inPlace({ grid }: Listing, moveRows: () => void): void {
  const scroller = grid.current?.element()
  const focused = scroller?.contains(document.activeElement)
    ? document.activeElement?.closest<HTMLElement>('[role="row"]')
    : null
  if (!scroller || !focused || focused.dataset['index'] === '0' || !isInView(scroller, focused))
    return moveRows()
  const topPx = (): number => focused.getBoundingClientRect().top
  const before = topPx()
  flushSync(moveRows)
  // The grid scrolls in a microtask as well, which was queued before.
  queueMicrotask(() => {
    const movedPx = focused.isConnected ? topPx() - before : 0
    if (movedPx !== 0) grid.current?.scrollTo(grid.current.topPx() + movedPx)
  })
}
