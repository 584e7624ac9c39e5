import { closeSync, readSync } from 'node:fs'
import { headBytes, maxTextBytes, typeOfFile } from '../../../../shared/domain/file-kind.ts'
import { fileTypes, type FileType } from '../../../../shared/domain/file-types.ts'
import { entryFlag } from '../../port.ts'
import { type StatColumns, unreachableMode } from '../calls/file-system-calls.ts'
import { openAt, openFlags, reopen } from '../calls/descriptors.ts'
import { nameAt, sharedWords, type PackedNames } from '../calls/packed-names.ts'
import { kindOfMode, modifiedMsOf } from '../calls/file-stat.ts'
import { resolvePath, pathBelow } from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { typeByName, undeterminedType } from './name-types.ts'
import type { RequestedFolder, VisibleEntries } from './visible-entries.ts'
import { helperThreshold } from './shared-stat.ts'

/**
 * A page of a listing as it is sent to the main thread: the names as bytes, each followed by a NUL, and the other
 * columns as in `EntryPage`.
 */
export type ListingPageMessage = {
  readonly names: Uint8Array<ArrayBuffer>
  readonly flags: Uint8Array<ArrayBuffer>
  readonly sizesBytes: Float64Array<ArrayBuffer>
  readonly modifiedMs: Float64Array<ArrayBuffer>
  readonly modes: Uint32Array<ArrayBuffer>
  readonly types: Uint8Array<ArrayBuffer>
}

/**
 * A folder's visible entries and the columns with their metadata. When `sniffs` is true, the server reads the first
 * bytes of each file whose name does not determine its type.
 */
export type FolderRows = {
  readonly requestedFolder: RequestedFolder
  readonly visible: VisibleEntries
  readonly columns: StatColumns
  readonly sniffs: boolean
}

/**
 * Allocates columns for the metadata of a folder's entries. The columns are in shared memory when the folder is large
 * enough for a second thread to help.
 */
export const allocateColumns = (count: number): StatColumns =>
  count > helperThreshold
    ? {
        modes: sharedWords(count),
        sizesBytes: new Float64Array(new SharedArrayBuffer(count * 8)),
        modifiedMs: new Float64Array(new SharedArrayBuffer(count * 8)),
        linkedFiles: sharedWords(1),
      }
    : {
        modes: new Uint32Array(count),
        sizesBytes: new Float64Array(count),
        modifiedMs: new Float64Array(count),
        linkedFiles: new Uint32Array(1),
      }

/**
 * Reads the metadata of the given entries into the columns. The row of a link contains the metadata of its target or,
 * when the link is broken, of the link itself.
 */
export function statRows({ calls }: TaskContext, rows: FolderRows, indices: Uint32Array): void {
  const { folder, names } = rows.requestedFolder
  calls.statEntries({ folder, names, indices }, rows.columns)
  fillTargets(rows)
}

/** Replaces the metadata of links with the metadata of their targets. */
export function fillTargets({ visible, columns }: FolderRows): void {
  for (const [index, target] of visible.links) {
    if (target === null || columns.modes[index] === 0 || columns.modes[index] === unreachableMode) continue
    columns.modes[index] = target.mode
    columns.sizesBytes[index] = target.sizeBytes
    columns.modifiedMs[index] = modifiedMsOf(target)
  }
}

/** Builds the page with the rows of the given entries. Entries that no longer exist are omitted. */
export async function pageOf(
  context: TaskContext,
  rows: FolderRows,
  indices: Uint32Array,
): Promise<ListingPageMessage> {
  const { columns, requestedFolder, sniffs } = rows
  const present = withoutMissing(columns, indices)
  const page = allocatePage(packNames(requestedFolder.names, present), present.length)
  const unread: number[] = []
  for (let row = 0; row < present.length; row += 1) {
    const index = present[row] as number
    page.sizesBytes[row] = columns.sizesBytes[index] as number
    page.modifiedMs[row] = columns.modifiedMs[index] as number
    page.modes[row] = columns.modes[index] === unreachableMode ? 0 : (columns.modes[index] as number)
    page.flags[row] = flagsOf(rows, index)
    const type = typeOf(rows, index)
    page.types[row] = type === undeterminedType ? typeWithoutSniffing(rows, index) : type
    if (sniffs && type === undeterminedType) unread.push(row)
  }
  for (const row of unread) page.types[row] = fileTypes.indexOf(await sniff(context, rows, present[row] ?? 0))
  return page
}

/** Returns the buffers of a page that are transferred to the main thread instead of copied. */
export const buffersOf = ({ names, flags }: ListingPageMessage): ArrayBuffer[] => [names.buffer, flags.buffer]

function withoutMissing({ modes }: StatColumns, indices: Uint32Array): Uint32Array {
  for (let row = 0; row < indices.length; row += 1) {
    if (modes[indices[row] as number] === 0) return indices.filter((index) => modes[index] !== 0)
  }
  return indices
}

/**
 * Allocates a page. All columns except the names share one buffer, because sending a second buffer takes as long as
 * sending many rows.
 */
function allocatePage(names: Uint8Array<ArrayBuffer>, count: number): ListingPageMessage {
  const columns = new ArrayBuffer(count * (8 + 8 + 4 + 1 + 1))
  return {
    names,
    sizesBytes: new Float64Array(columns, 0, count),
    modifiedMs: new Float64Array(columns, count * 8, count),
    modes: new Uint32Array(columns, count * 16, count),
    flags: new Uint8Array(columns, count * 20, count),
    types: new Uint8Array(columns, count * 21, count),
  }
}

function packNames({ bytes, starts }: PackedNames, indices: Uint32Array): Uint8Array<ArrayBuffer> {
  let size = 0
  for (let row = 0; row < indices.length; row += 1) {
    const index = indices[row] as number
    size += (starts[index + 1] as number) - (starts[index] as number)
  }
  const all = new Uint8Array(size)
  let offset = 0
  for (let row = 0; row < indices.length; row += 1) {
    const index = indices[row] as number
    const end = starts[index + 1] as number
    for (let from = starts[index] as number; from < end; from += 1) {
      all[offset] = bytes[from] as number
      offset += 1
    }
  }
  return all
}

function flagsOf({ visible, columns }: FolderRows, index: number): number {
  const type = (columns.modes[index] as number) & 0o170000
  if (type === 0o100000 && visible.links.size === 0) return 0
  if (columns.modes[index] === unreachableMode) return entryFlag.unreachable
  const target = visible.links.get(index)
  const kind = kindOfMode(type)
  return (
    (kind === 'folder' ? entryFlag.folder : 0) |
    (target === undefined ? 0 : entryFlag.link) |
    (target === null ? entryFlag.broken : 0) |
    (kind === 'other' ? entryFlag.special : 0)
  )
}

const blob = fileTypes.indexOf('blob')
const text = fileTypes.indexOf('text')
const folder = fileTypes.indexOf('')
const brokenLink = fileTypes.indexOf('invalid_link')

/**
 * Returns the type of an entry as an index into `fileTypes`, or `undeterminedType` when it can only be determined
 * from the file's first bytes.
 */
function typeOf({ columns, requestedFolder }: FolderRows, index: number): number {
  const type = (columns.modes[index] as number) & 0o170000
  if (type === 0o040000) return folder
  if (type === 0o120000) return brokenLink
  if (type !== 0o100000) return blob
  const typeFromName = typeByName(requestedFolder.names, index)
  const sizeBytes = columns.sizesBytes[index] as number
  if (typeFromName === undeterminedType || sizeBytes <= maxTextBytes) return typeFromName
  return fileTypes.indexOf(typeOfFile(nameAt(requestedFolder.names, index), sizeBytes, null))
}

/**
 * Returns the type that is reported for a file when its name does not determine the type and its first bytes are not
 * read (contract 3.4).
 */
const typeWithoutSniffing = ({ columns }: FolderRows, index: number): number =>
  (columns.sizesBytes[index] as number) <= maxTextBytes ? text : blob

async function sniff(
  context: TaskContext,
  { requestedFolder, visible, columns }: FolderRows,
  index: number,
): Promise<FileType> {
  const name = nameAt(requestedFolder.names, index)
  const sizeBytes = columns.sizesBytes[index] ?? 0
  const head =
    sizeBytes === 0
      ? new Uint8Array()
      : await readHead(context, requestedFolder, { name, isLink: visible.links.has(index) })
  return typeOfFile(name, sizeBytes, head)
}

/** Reads the first bytes of a file. Returns null when they cannot be read. */
async function readHead(
  context: TaskContext,
  requestedFolder: RequestedFolder,
  { name, isLink }: { readonly name: string; readonly isLink: boolean },
): Promise<Uint8Array | null> {
  try {
    const descriptor = isLink
      ? await openTarget(context, requestedFolder, name)
      : openAt({ folder: requestedFolder.folder, name }, openFlags.read)
    try {
      const head = new Uint8Array(headBytes)
      return head.subarray(0, readSync(descriptor, head, 0, headBytes, 0))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return null
  }
}

async function openTarget(context: TaskContext, { path }: RequestedFolder, name: string): Promise<number> {
  using found = await resolvePath(context, pathBelow(path, name))
  return reopen(found.descriptor, openFlags.read)
}
