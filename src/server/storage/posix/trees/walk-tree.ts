import { compareText } from '../../../../shared/domain/sorting.ts'
import type { Entry } from '../../../../shared/domain/entry.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { entryOf, isSame, kindOf, linkEntryOf, type FileStat } from '../calls/file-stat.ts'
import { errnoOf, disposable, openFlags, reopen } from '../calls/descriptors.ts'
import { direntType, nameAt } from '../calls/packed-names.ts'
import { findVisibleEntries, type VisibleEntries } from '../listing/visible-entries.ts'
import { resolveFolder, pathBelow, type ResolvedEntry } from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { openChild } from './tree.ts'

/** An entry with its path below the root. */
export type EntryAtPath = Entry & { readonly path: Path }

/**
 * Maximum number of entries in one message to the main thread. The main thread can process a message while the walk
 * continues.
 */
const batchRows = 1024

/** An entry that the walk visits, with its metadata and the open folder that contains it. */
export type VisitedEntry = {
  readonly folder: ResolvedEntry
  readonly name: string
  readonly facts: FileStat
  /** Metadata of a link's target: null when the link is broken, undefined when the entry is not a link. */
  readonly target: FileStat | null | undefined
  /** Path of the entry, formed from the requested path. Links in that path are not resolved. */
  readonly path: Path
}

type FileVisit = Pick<VisitedEntry, 'folder' | 'name' | 'path'>

type TreeWalk = {
  readonly context: TaskContext
  readonly visit: (visited: VisitedEntry) => Promise<void>
  /**
   * Called instead of `visit` for names that the folder reports as files. The metadata of these files is not read,
   * because callers with this callback open each file anyway.
   */
  readonly visitFile?: (file: FileVisit) => Promise<void>
}

/** Sends all entries below a folder to the main thread, depth first. The names in each folder are in byte order. */
export async function walkTree(context: TaskContext, { path }: { readonly path: Path }): Promise<void> {
  using found = await resolveFolder(context, path)
  let batch: EntryAtPath[] = []
  async function visit({ name, facts, target, path: below }: VisitedEntry): Promise<void> {
    batch.push({ ...entryWith(name, facts, target), path: below })
    if (batch.length < batchRows) return
    await context.link.emit(batch)
    batch = []
  }
  await walkFolder({ context, visit }, found, path)
  if (batch.length > 0) await context.link.emit(batch)
}

/** Visits everything below an open folder. A folder is visited before its entries. */
export async function walkFolder(treeWalk: TreeWalk, found: ResolvedEntry, path: Path): Promise<void> {
  const { context } = treeWalk
  const { names, visible } = await readFolder(context, found, path)
  for (const { name, index, isFile } of names) {
    const below = pathBelow(path, name)
    if (isFile && treeWalk.visitFile !== undefined) {
      await treeWalk.visitFile({ folder: found, name, path: below })
      continue
    }
    const facts = statOrNull(context, found.descriptor, name)
    if (facts === null) continue
    await treeWalk.visit({ folder: found, name, facts, target: visible.links.get(index), path: below })
    if (kindOf(facts) === 'folder') await enter(treeWalk, { above: found, name, facts, path: below })
  }
}

type SubfolderVisit = {
  readonly above: ResolvedEntry
  readonly name: string
  readonly facts: FileStat
  readonly path: Path
}

/**
 * Visits everything below a subfolder. A subfolder that cannot be read, or was replaced in the meantime, is skipped.
 */
async function enter(treeWalk: TreeWalk, { above, name, facts, path }: SubfolderVisit): Promise<void> {
  treeWalk.context.link.throwIfAborted()
  try {
    using folder = disposable(openChild(above.descriptor, name))
    if (!isSame(treeWalk.context.calls.stat(folder.descriptor), facts)) return
    const found: ResolvedEntry = {
      descriptor: folder.descriptor,
      facts,
      path: pathBelow(above.path, name),
      [Symbol.dispose]() {},
    }
    await walkFolder(treeWalk, found, path)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'].includes(errnoOf(error))) throw error
  }
}

/**
 * A visible name of a folder. `isFile` is true when the folder reports the entry as a file, although the entry may have
 * been replaced since.
 */
type VisibleName = { readonly name: string; readonly index: number; readonly isFile: boolean }

async function readFolder(
  context: TaskContext,
  found: ResolvedEntry,
  path: Path,
): Promise<{ names: VisibleName[]; visible: VisibleEntries }> {
  using folder = disposable(reopen(found.descriptor, openFlags.folder))
  const names = context.calls.readNames(folder.descriptor)
  const visible = await findVisibleEntries(context, { folder: folder.descriptor, found, path, names })
  const named = [...visible.folders, ...visible.others].map((index) => ({
    index,
    name: nameAt(names, index),
    isFile: names.kinds[index] === direntType.file,
  }))
  return { names: named.sort((a, b) => compareText(a.name, b.name)), visible }
}

function statOrNull({ calls }: TaskContext, folder: number, name: string): FileStat | null {
  try {
    return calls.statAt({ folder, name })
  } catch {
    return null
  }
}

/** Returns the entry of a visited name. The entry of a link includes its target. */
export function entryWith(name: string, facts: FileStat, target: FileStat | null | undefined): Entry {
  if (kindOf(facts) !== 'link') return entryOf(name, facts)
  return linkEntryOf(name, facts, target ?? null)
}
