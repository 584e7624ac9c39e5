import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Path } from '../../../../shared/domain/path.ts'
import { kindOf, type FileStat } from '../calls/file-stat.ts'
import { disposable, isGone, isUnreachable, openAt, openFlags, reopen } from '../calls/descriptors.ts'
import { nameAt } from '../calls/packed-names.ts'
import { entryMark, markEntries } from '../listing/visible-entries.ts'
import { resolvePath, isOwnFile, pathBelow, type ResolvedEntry } from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'

export type MeasureInput = {
  readonly path: Path
  /** True when the size of a linked file is added for each link to it. */
  readonly follows: boolean
}

/**
 * Time in milliseconds after which the measurement yields to other tasks of the same worker thread. The time is so
 * short that these tasks are hardly delayed.
 */
const maxTurnMs = 8

type MeasureState = { readonly context: TaskContext; readonly follows: boolean; yieldedAtMs: number }

/**
 * Returns the total size in bytes of the files at and below a path. A file with two hard links counts twice. Rules are
 * not evaluated below the path, and folders that cannot be opened count as empty.
 */
export async function measureTree(context: TaskContext, { path, follows }: MeasureInput): Promise<number> {
  using found = await resolvePath(context, path)
  if (kindOf(found.stat) !== 'folder') return bytesOf(context, found.stat)
  return measureFolder({ context, follows, yieldedAtMs: performance.now() }, found)
}

const bytesOf = (context: TaskContext, stat: FileStat): number =>
  kindOf(stat) === 'file' && !isOwnFile(context, stat) ? stat.sizeBytes : 0

type MeasuredFolder = Pick<ResolvedEntry, 'descriptor' | 'path'>

async function measureFolder(state: MeasureState, { descriptor, path }: MeasuredFolder): Promise<number> {
  using folder = disposable(reopen(descriptor, openFlags.folder))
  const { sumBytes, folders, links } = sumFolder(state.context, { descriptor: folder.descriptor, path })
  let sum = sumBytes
  if (state.follows) for (const name of links) sum += await linkedBytes(state.context, path, name)
  for (const name of folders)
    sum += await measureSubfolder(state, { descriptor: folder.descriptor, path }, name)
  return sum
}

/** Measures a subfolder. A folder that cannot be read, or no longer exists, counts as empty. */
async function measureSubfolder(state: MeasureState, above: MeasuredFolder, name: string): Promise<number> {
  state.context.link.throwIfAborted()
  await yieldWhenDue(state)
  try {
    using child = disposable(openAt({ folder: above.descriptor, name }, openFlags.folderHandle))
    return await measureFolder(state, { descriptor: child.descriptor, path: pathBelow(above.path, name) })
  } catch (error) {
    if (!isGone(error) && !isUnreachable(error)) throw error
    return 0
  }
}

type FolderTotals = { readonly sumBytes: number; readonly folders: string[]; readonly links: string[] }

/**
 * Sums up the sizes of the files directly in an open folder, without the server's own files, and collects its
 * subfolders and links.
 */
function sumFolder(context: TaskContext, { descriptor, path }: MeasuredFolder): FolderTotals {
  const names = context.calls.readNames(descriptor)
  const found = { path, stat: context.calls.stat(descriptor) }
  const marks = markEntries(context, { folder: descriptor, found, names })
  const [folders, links]: [string[], string[]] = [[], []]
  let sumBytes = 0
  for (let index = 0; index < names.count; index += 1) {
    if (index % 1024 === 0) context.link.throwIfAborted()
    const name = nameAt(names, index)
    if (marks[index] === entryMark.folder) folders.push(name)
    else if (marks[index] === entryMark.link) links.push(name)
    else if (marks[index] === entryMark.plain) sumBytes += fileBytes(context, descriptor, name)
  }
  return { sumBytes, folders, links }
}

/** Returns the size of a file, or 0 when it no longer exists. */
function fileBytes(context: TaskContext, folder: number, name: string): number {
  try {
    return bytesOf(context, context.calls.statAt({ folder, name }))
  } catch {
    return 0
  }
}

/** Returns the size of the file that a link leads to, or 0 when the link does not lead to a file. */
async function linkedBytes(context: TaskContext, folder: Path, name: string): Promise<number> {
  try {
    using found = await resolvePath(context, pathBelow(folder, name))
    return bytesOf(context, found.stat)
  } catch {
    context.link.throwIfAborted()
    return 0
  }
}

async function yieldWhenDue(state: MeasureState): Promise<void> {
  if (performance.now() - state.yieldedAtMs < maxTurnMs) return
  await yieldToEventLoop()
  state.yieldedAtMs = performance.now()
}
