import type { Path } from '../../../../shared/domain/path.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { isSame, kindOf, type FileStat } from '../calls/file-stat.ts'
import { bytesOf, isUnreachable } from '../calls/descriptors.ts'
import { direntType, nameAt, type PackedNames } from '../calls/packed-names.ts'
import { isStagedName } from '../resolution/reserved-names.ts'
import { statLinkTargets, isOwnFile, pathBelow, type ResolvedEntry } from '../resolution/resolve-path.ts'
import type { MainThreadRequest, TaskContext } from '../resolution/task-context.ts'

/** The entries of a folder that the caller may see. Each entry is given as the index of its name. */
export type VisibleEntries = {
  readonly folders: Uint32Array
  readonly others: Uint32Array
  /** Metadata of link targets, keyed by the index of the link's name. Null means that the link is broken. */
  readonly links: ReadonlyMap<number, FileStat | null>
  /** True when the folder contains a link that the rules permit, even if its target is denied. */
  readonly hasLinks: boolean
}

/** An open folder that a caller requested, with its names. */
export type RequestedFolder = {
  /** Descriptor of the folder, open for reading. */
  readonly folder: number
  readonly found: Pick<ResolvedEntry, 'path' | 'stat'>
  /** The requested path. It differs from `found.path` when links in the path were followed. */
  readonly path: Path
  readonly names: PackedNames
}

/** An open folder with its names. The requested path is not known, so the rules cannot be evaluated for the entries. */
type FolderWithNames = Omit<RequestedFolder, 'path'>

/**
 * A mark for each kind of entry, as the folder reports it. Entries with the mark `denied` are omitted from results. The
 * marks are the numbers from 0 without a gap.
 */
export const entryMark = { denied: 0, plain: 1, folder: 2, link: 3, special: 4 } as const
const { denied, plain, folder, link, special } = entryMark
const marksByKind = { file: plain, folder, link, other: special } as const
/** The mark for each `d_type` except `unknown`. */
const marksByDirentType = new Uint8Array(256).fill(special)
marksByDirentType[direntType.file] = plain
marksByDirentType[direntType.folder] = folder
marksByDirentType[direntType.link] = link

/**
 * Returns the visible entries of a folder. Denied entries, the server's own files and links that leave the root are
 * omitted.
 */
export async function findVisibleEntries(
  context: TaskContext,
  requestedFolder: RequestedFolder,
): Promise<VisibleEntries> {
  const { names, path } = requestedFolder
  const marks = markEntries(context, requestedFolder)
  await markDenied(context, requestedFolder, marks)
  const links = indicesOf(marks, [link])
  const paths = Array.from(links, (index) => pathBelow(path, nameAt(names, index)))
  const targets = new Map<number, FileStat | null>()
  for (const [at, target] of (await statLinkTargets(context, paths)).entries()) {
    const index = links[at] ?? 0
    if (target === 'denied') marks[index] = denied
    else {
      targets.set(index, target)
      marks[index] = target !== null && kindOf(target) === 'folder' ? folder : plain
    }
  }
  return {
    folders: indicesOf(marks, [folder]),
    others: indicesOf(marks, [plain, special]),
    links: targets,
    hasLinks: links.length > 0,
  }
}

/**
 * Returns a mark for each entry: its kind, or `denied` for the server's own files. Rules are not evaluated and links
 * are not followed.
 */
export function markEntries(context: TaskContext, requestedFolder: FolderWithNames): Uint8Array {
  const { count, kinds } = requestedFolder.names
  const marks = new Uint8Array(count)
  for (let index = 0; index < count; index += 1) {
    const kind = kinds[index] as number
    marks[index] =
      kind === direntType.unknown
        ? markByMetadata(context, requestedFolder, index)
        : (marksByDirentType[kind] as number)
  }
  markReserved(context, requestedFolder, marks)
  markOwnFiles(context, requestedFolder, marks)
  return marks
}

/** Returns the mark of an entry whose kind the folder does not report. */
function markByMetadata(
  { calls }: TaskContext,
  { names, folder: descriptor }: FolderWithNames,
  index: number,
): number {
  try {
    const found = kindOf(calls.statAt({ folder: descriptor, name: nameAt(names, index) }))
    return marksByKind[found]
  } catch (error) {
    return isUnreachable(error) ? plain : denied
  }
}

/**
 * Marks staged files as denied and, at the top of the volume, also the reserved names. Names are compared as bytes,
 * because creating a string for each name would be slow.
 */
function markReserved(
  { rootContext }: TaskContext,
  { found, names }: FolderWithNames,
  marks: Uint8Array,
): void {
  const dot = 46
  const { bytes, starts, count } = names
  for (let index = 0; index < count; index += 1) {
    if (bytes[starts[index] ?? 0] === dot && isStagedName(nameAt(names, index))) marks[index] = denied
  }
  if (found.path !== '/') return
  for (const name of rootContext.reservedNames) {
    for (let index = 0; index < count; index += 1) if (isNamed(names, index, name)) marks[index] = denied
  }
}

const isNamed = (names: PackedNames, index: number, name: string): boolean =>
  names.bytes[names.starts[index] ?? 0] === name.charCodeAt(0) && nameAt(names, index) === name

/**
 * Marks the server's own files as denied: files with a known inode, and names with a reserved prefix. When the folder
 * reports inode numbers, the function reads the metadata of matching entries only. Otherwise, it reads the metadata of
 * every entry.
 */
function markOwnFiles(
  context: TaskContext,
  { folder: descriptor, found, names }: FolderWithNames,
  marks: Uint8Array,
): void {
  const { files, prefixes } = context.rootContext.reservedFiles
  for (const index of candidatesFor(files, names)) {
    if (isOwnFileAt(context, { folder: descriptor, name: nameAt(names, index) })) marks[index] = denied
  }
  for (const own of prefixes.filter((prefix) => isSame(prefix, found.stat))) {
    const prefix = bytesOf(own.prefix)
    for (let index = 0; index < names.count; index += 1) {
      const from = names.starts[index] ?? 0
      if (names.bytes.compare(prefix, 0, prefix.length, from, from + prefix.length) === 0)
        marks[index] = denied
    }
  }
}

/** Returns the entries that may be one of the files. When the folder reports no inode numbers, every entry may be one. */
function candidatesFor(files: readonly { readonly ino: bigint }[], { inos, count }: PackedNames): number[] {
  if (inos === null) return files.length === 0 ? [] : Array.from({ length: count }, (_, index) => index)
  const candidates: number[] = []
  for (const { ino } of files) {
    const wanted = Number(ino)
    for (let index = 0; index < count; index += 1) if (inos[index] === wanted) candidates.push(index)
  }
  return candidates
}

function isOwnFileAt(context: TaskContext, location: EntryLocation): boolean {
  try {
    return isOwnFile(context, context.calls.statAt(location))
  } catch {
    return false
  }
}

/**
 * Marks the entries that the rules deny. The main thread evaluates the rules for the requested path and, when links
 * were followed, also for the resolved path.
 */
async function markDenied(
  { rootContext, link: mainThread }: TaskContext,
  { names, path, found }: RequestedFolder,
  marks: Uint8Array,
): Promise<void> {
  if (!rootContext.hasRules || names.count === 0) return
  const bytes = new Uint8Array(names.bytes.subarray(0, names.starts[names.count]))
  for (const folderPath of path === found.path ? [path] : [path, found.path]) {
    const request: MainThreadRequest = { kind: 'children', folder: folderPath, names: bytes }
    const verdicts = (await mainThread.sendRequest(request)) as Uint8Array
    for (let index = 0; index < names.count; index += 1) if (verdicts[index] !== 1) marks[index] = denied
  }
}

/** Returns the entries that have one of the given marks. */
function indicesOf(marks: Uint8Array, wanted: readonly number[]): Uint32Array {
  const isWanted = Uint8Array.from({ length: Object.keys(entryMark).length }, (_, mark) =>
    Number(wanted.includes(mark)),
  )
  const indices = new Uint32Array(marks.length)
  let count = 0
  for (let index = 0; index < marks.length; index += 1) {
    // The next entry overwrites the index of an entry that is not wanted. A loop without branches is faster.
    indices[count] = index
    count += isWanted[marks[index] as number] as number
  }
  return indices.slice(0, count)
}
