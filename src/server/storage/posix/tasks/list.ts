import { nameOf, type Path } from '../../../../shared/domain/path.ts'
import type { Entry } from '../../../../shared/domain/entry.ts'
import type { DiskIdentity } from '../../local-disk.ts'
import type { ListingOrder } from '../../../../shared/domain/sorting.ts'
import { disposable, openFlags, reopen } from '../calls/descriptors.ts'
import { createNamePacker, type NamePacker, type PackedNames } from '../calls/packed-names.ts'
import { entryOf } from '../calls/file-stat.ts'
import { rankByValue, rankByName } from '../listing/ranking.ts'
import {
  buffersOf,
  allocateColumns,
  fillTargets,
  pageOf,
  statRows,
  type FolderRows,
  type ListingPageMessage,
} from '../listing/rows.ts'
import { findVisibleEntries } from '../listing/visible-entries.ts'
import { statShared } from '../listing/shared-stat.ts'
import { resolveFolder, type ResolvedEntry } from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { statEntry } from './stat-and-open.ts'

export type ListInput = { readonly path: Path; readonly order: ListingOrder; readonly sniffs: boolean }

/**
 * The first message of a listing. For a small folder, this message contains all rows. For a large folder, the pages
 * follow as separate messages.
 */
export type ListingHeadMessage = {
  readonly folder: Entry
  readonly total: number
  readonly folders: number
  readonly identity: DiskIdentity
  /** The bytes that the listing keeps in memory until its last page has been read. */
  readonly heldBytes: number
  readonly page: ListingPageMessage
}

/** The result of a listing whose pages were sent as separate messages. */
export type ListingEnd = { readonly isCoveredByWatch: boolean }

/** A message of the task before its result. */
type ListingMessage = ListingHeadMessage | ListingPageMessage

/** Number of rows in the first page. The page is small, so that it arrives early. */
const firstPageRows = 256
/** Number of rows in each further page. */
const pageRows = 4096

/**
 * Number of entries above which the metadata is read page by page. The first pages of such a folder are sent without
 * waiting for the metadata of the last page.
 */
const maxEagerRows = 200_000

/**
 * Packers that are kept for reuse, because allocating a packer costs more than reading a small folder. Two listings
 * never use a packer at the same time, and a packer is not reused while another thread may still read it.
 */
const sparePackers: NamePacker[] = []
/** Maximum number of packers that are kept for reuse. More listings than this rarely run in one thread. */
const maxSparePackers = 16

/** Lists a folder. The rows of a large folder are sent in pages before the result. */
export async function listFolder(
  context: TaskContext<ListingMessage>,
  input: ListInput,
): Promise<ListingHeadMessage | ListingEnd> {
  const packer = sparePackers.pop() ?? createNamePacker(true)
  const result = await listInto(packer, context, input)
  if ('page' in result && sparePackers.length < maxSparePackers) sparePackers.push(packer)
  return result
}

/**
 * Lists a folder, using the given packer for its names. Returns the end of the listing when the folder is large and its
 * pages were sent.
 */
async function listInto(
  packer: NamePacker,
  context: TaskContext<ListingMessage>,
  { path, order, sniffs }: ListInput,
): Promise<ListingHeadMessage | ListingEnd> {
  using found = await resolveFolder(context, path)
  using folder = disposable(reopen(found.descriptor, openFlags.folder))
  const names = context.calls.readNames(folder.descriptor, packer)
  context.link.throwIfAborted()
  const requestedFolder = { folder: folder.descriptor, found, path, names }
  const visible = await findVisibleEntries(context, requestedFolder)
  const rows: FolderRows = { requestedFolder, visible, columns: allocateColumns(names.count), sniffs }
  const ranked = order.by === 'name' ? rankRowsByName(rows, order) : rankRowsByValue(context, rows, order)
  const { ranking } = ranked
  const page = await nextPage(context, ranked, { from: 0, end: Math.min(firstPageRows, ranking.length) })
  const head: ListingHeadMessage = {
    folder: await entryOfFolder(context, path, found),
    total: ranking.length,
    folders: visible.folders.length,
    identity: { dev: found.stat.dev, ino: found.stat.ino },
    heldBytes: heldBytesOf(names),
    page,
  }
  if (names.count <= firstPageRows) return head
  await context.link.emit(head, buffersOf(page))
  const isEager = ranking.length <= maxEagerRows
  if (isEager && !ranked.hasMetadata) statAll(context, rows)
  for (let from = firstPageRows; from < ranking.length; from += pageRows) {
    const range = { from, end: Math.min(from + pageRows, ranking.length) }
    const next = await nextPage(context, { ...ranked, hasMetadata: ranked.hasMetadata || isEager }, range)
    await context.link.emit(next, buffersOf(next))
  }
  return { isCoveredByWatch: !visible.hasLinks && rows.columns.linkedFiles[0] === 0 }
}

/**
 * The bytes of an entry in memory: its metadata, its place in the order, and the objects of a page that waits. A folder of 99,000
 * names of 210 bytes took 75 MB.
 */
const entryBytes = 120
/** The number of times for which the names are in memory: as they were read, as sort keys, and in pages that wait. */
const copiesOfNames = 3

const heldBytesOf = ({ starts, count }: PackedNames): number =>
  (starts[count] ?? 0) * copiesOfNames + count * entryBytes

/**
 * Returns the entry of the listed folder. When the path contains links, the entry is read again, because the last name
 * may itself be a link.
 */
const entryOfFolder = async (context: TaskContext, path: Path, found: ResolvedEntry): Promise<Entry> =>
  found.path === path ? entryOf(nameOf(path), found.stat) : statEntry(context, { path })

/** The rows of a folder in their order. `hasMetadata` is true when the metadata of all entries has been read. */
type RankedRows = {
  readonly rows: FolderRows
  readonly ranking: Uint32Array
  readonly hasMetadata: boolean
}

const rankRowsByName = (rows: FolderRows, order: ListingOrder): RankedRows => ({
  rows,
  ranking: rankByName(rows.requestedFolder.names, rows.visible, order),
  hasMetadata: false,
})

function rankRowsByValue(context: TaskContext, rows: FolderRows, order: ListingOrder): RankedRows {
  statAll(context, rows)
  const { visible, columns, requestedFolder } = rows
  return {
    rows,
    ranking: rankByValue({ names: requestedFolder.names, columns, visible }, order),
    hasMetadata: true,
  }
}

async function nextPage(
  context: TaskContext,
  { rows, ranking, hasMetadata }: RankedRows,
  { from, end }: { readonly from: number; readonly end: number },
): Promise<ListingPageMessage> {
  const indices = ranking.subarray(from, end)
  if (!hasMetadata) statRows(context, rows, indices)
  return pageOf(context, rows, indices)
}

/**
 * Reads the metadata of all entries in the order in which the disk returns them. This order is the fastest, because the
 * kernel's caches have the same order.
 */
function statAll(context: TaskContext, rows: FolderRows): void {
  const { requestedFolder, columns, visible } = rows
  const { folder, names } = requestedFolder
  statShared(context, { folder, names, columns, members: [visible.folders, visible.others] })
  fillTargets(rows)
}
