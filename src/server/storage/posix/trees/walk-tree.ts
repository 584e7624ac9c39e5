import { compareText } from '../../../../shared/domain/sorting.ts'
import type { Entry } from '../../../../shared/domain/entry.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { entryOf, isSame, kindOf, linkEntryOf, type FileStat } from '../calls/file-stat.ts'
import { disposable, isGone, isUnreachable, openFlags, reopen } from '../calls/descriptors.ts'
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
/**
 * Number of characters of paths (64 Ki) after which a message is sent. Paths may have 4 kB, and several messages wait in memory
 * while the client of a walk does not read.
 */
const batchCharacters = 64 * 1024

/** An entry that the walk visits, with its metadata and the open folder that contains it. */
export type VisitedEntry = {
  readonly folder: ResolvedEntry
  readonly name: string
  readonly stat: FileStat
  /** Metadata of a link's target: null when the link is broken, undefined when the entry is not a link. */
  readonly target: FileStat | null | undefined
  /** Path of the entry, formed from the requested path. Links in that path are not resolved. */
  readonly path: Path
}

type TreeWalk = {
  readonly context: TaskContext
  readonly visit: (visited: VisitedEntry) => Promise<void>
  /**
   * Called instead of `visit` for names that the folder reports as files. The metadata of these files is not read,
   * because callers with this callback open each file anyway.
   */
  readonly visitFile?: (file: Pick<VisitedEntry, 'folder' | 'name' | 'path'>) => Promise<void>
  /** Called for each entry that exists and cannot be reached. A folder that cannot be read is visited before. */
  readonly onUnreachable: (path: Path) => Promise<void>
}

/** A message of a walk about an entry that exists and cannot be reached. */
export type UnreachableMessage = { readonly unreachable: Path }

/** Sends all entries below a folder to the main thread, depth first. The names in each folder are in byte order. */
export async function walkTree(
  context: TaskContext<EntryAtPath[] | UnreachableMessage>,
  { path }: { readonly path: Path },
): Promise<void> {
  using found = await resolveFolder(context, path)
  let batch: EntryAtPath[] = []
  let characters = 0
  async function visit({ name, stat, target, path: below }: VisitedEntry): Promise<void> {
    batch.push({ ...entryWith(name, stat, target), path: below })
    characters += below.length
    if (batch.length >= batchRows || characters >= batchCharacters) await flush()
  }
  async function flush(): Promise<void> {
    if (batch.length === 0) return
    const full = batch
    batch = []
    characters = 0
    await context.link.emit(full)
  }
  // The entries before an unreachable one are sent first, so that the main thread knows its place among them.
  async function onUnreachable(unreachable: Path): Promise<void> {
    await flush()
    await context.link.emit({ unreachable })
  }
  await walkFolder({ context, visit, onUnreachable }, found, path)
  await flush()
}

/** Visits everything below an open folder. A folder is visited before its entries. */
export async function walkFolder(treeWalk: TreeWalk, found: ResolvedEntry, path: Path): Promise<void> {
  await visitNames(treeWalk, { found, path, ...(await readFolder(treeWalk.context, found, path)) })
}

async function visitNames(treeWalk: TreeWalk, { found, path, names, visible }: FolderToVisit): Promise<void> {
  for (const { name, index, isFile } of names) {
    const below = pathBelow(path, name)
    if (isFile && treeWalk.visitFile !== undefined) {
      await treeWalk.visitFile({ folder: found, name, path: below })
      continue
    }
    const stat = await orSkip(treeWalk, below, () =>
      treeWalk.context.calls.statAt({ folder: found.descriptor, name }),
    )
    if (stat === null) continue
    await treeWalk.visit({ folder: found, name, stat, target: visible.links.get(index), path: below })
    if (kindOf(stat) === 'folder') await enter(treeWalk, { above: found, name, stat, path: below })
  }
}

type SubfolderVisit = {
  readonly above: ResolvedEntry
  readonly name: string
  readonly stat: FileStat
  readonly path: Path
}

/**
 * Visits everything below a subfolder. A subfolder that cannot be read, or was replaced in the meantime, is skipped.
 * Errors of visits below it are not caught here, because they end the walk.
 */
async function enter(treeWalk: TreeWalk, { above, name, stat, path }: SubfolderVisit): Promise<void> {
  const { context } = treeWalk
  context.link.throwIfAborted()
  using folder = await orSkip(treeWalk, path, () => disposable(openChild(above.descriptor, name)))
  if (folder === null || !isSame(context.calls.stat(folder.descriptor), stat)) return
  const found: ResolvedEntry = {
    descriptor: folder.descriptor,
    stat,
    path: pathBelow(above.path, name),
    [Symbol.dispose]() {},
  }
  const content = await orSkip(treeWalk, path, () => readFolder(context, found, path))
  if (content !== null) await visitNames(treeWalk, { found, path, ...content })
}

/** Runs `read`. Returns null when the entry at the path no longer exists, or cannot be reached, which is reported. */
async function orSkip<T>(
  { onUnreachable }: TreeWalk,
  path: Path,
  read: () => T | Promise<T>,
): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isUnreachable(error)) await onUnreachable(path)
    else if (!isGone(error)) throw error
    return null
  }
}

/**
 * A visible name of a folder. `isFile` is true when the folder reports the entry as a file, although the entry may have
 * been replaced since.
 */
type VisibleName = { readonly name: string; readonly index: number; readonly isFile: boolean }

type FolderContent = { readonly names: readonly VisibleName[]; readonly visible: VisibleEntries }

/** An open folder whose names have been read, with its requested path. */
type FolderToVisit = FolderContent & { readonly found: ResolvedEntry; readonly path: Path }

async function readFolder(context: TaskContext, found: ResolvedEntry, path: Path): Promise<FolderContent> {
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

/** Returns the entry of a visited name. The entry of a link includes its target. */
export function entryWith(name: string, stat: FileStat, target: FileStat | null | undefined): Entry {
  if (kindOf(stat) !== 'link') return entryOf(name, stat)
  return linkEntryOf(name, stat, target ?? null)
}
