import type { MemberFault } from '../../../shared/contract/archives.ts'
import type { Entry } from '../../../shared/domain/entry.ts'
import { AppError, codeOf, type ErrorCode } from '../../../shared/domain/failure.ts'
import { conflictName } from '../../../shared/domain/names.ts'
import { childOf, nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import type { ByteReservation } from '../../concurrency/byte-budget.ts'
import type { IncomingBody } from '../../storage/change.ts'
import { smallFileBytes, type Storage } from '../../storage/port.ts'
import { streamOfBytes } from '../../storage/stream-of-bytes.ts'
import { reserveEntry } from '../reading/packed/archive-memory.ts'
import type { PackedMember } from '../reading/packed/packed-file.ts'
import type { CreatedEntries } from './created-entries.ts'
import { counted, type WorkProgress } from './progress-lines.ts'

/** The number of small files that are written at the same time. Each write waits for the disk. */
const maxConcurrentWrites = 8
/** The maximum number of skipped paths in the report. */
const maxReportedPaths = 100
/** The number of names that are tried for a file whose name is taken. */
const maxNameAttempts = 20

/**
 * Error codes of failures that concern only one member. This member is skipped and reported, and the other members are
 * extracted.
 */
const ownFailures: Partial<Record<ErrorCode, MemberFault>> = {
  'bad-name': 'name',
  busy: 'refused',
  forbidden: 'refused',
  'is-a-folder': 'refused',
  'name-taken': 'refused',
  'not-a-folder': 'refused',
  'not-found': 'refused',
  undecodable: 'damaged',
}

export type MemberWriter = {
  /** Writes a member. Small files are written in the background. */
  readonly write: (member: PackedMember, path: Path) => Promise<void>
  /** Waits for all writes. */
  readonly finish: () => Promise<void>
}

export type MemberWriterDependencies = {
  readonly storage: Storage
  readonly signal: AbortSignal
  readonly created: CreatedEntries
  readonly progress: WorkProgress
  /** The paths at which the members that hard links may name were written, by their paths in the archive. */
  readonly written: Map<string, Path>
  /** Counts what is in `written`. */
  readonly memory: ByteReservation
}

export function createMemberWriter(dependencies: MemberWriterDependencies): MemberWriter {
  const { progress, created, written, memory } = dependencies
  const running = new Map<Promise<void>, Path>()
  /** The hard links that came before the members whose content they share, by the paths of these members. */
  const early = new Map<string, LinkToWrite[]>()
  let failure: unknown

  function writeLater(path: Path, body: Uint8Array, member: PackedMember): void {
    const task = writeFile(dependencies, { path, body: streamOfBytes(body), member })
      .catch((error: unknown) => void (failure ??= error))
      .finally(() => running.delete(task))
    running.set(task, path)
  }

  /** Creates a folder. A file whose name is that of the folder or of one above it is written before. */
  async function makeFolder(path: Path): Promise<Path> {
    const isAbove = (file: Path): boolean => path === file || path.startsWith(`${file}/`)
    await Promise.all([...running].flatMap(([task, file]) => (isAbove(file) ? [task] : [])))
    return created.makeFolder(path)
  }

  async function writeLinked({ member, path }: LinkToWrite): Promise<void> {
    await unlessOwnFailure(progress, member, async () => {
      const folder = await makeFolder(parentOf(path))
      await copyLinked(dependencies, member, pathIn(folder, path))
    })
  }

  return {
    async write(member, path) {
      if (failure !== undefined) throw failure
      if (member.kind === 'folder') {
        await unlessOwnFailure(progress, member, () => makeFolder(path))
        return created.setTime(path, member.modifiedMs)
      }
      if (member.linkTo !== null) {
        await Promise.all(running.keys())
        if (written.has(member.linkTo)) return writeLinked({ member, path })
        reserveEntry(memory, path, member.linkTo)
        const links = early.get(member.linkTo) ?? []
        links.push({ member, path })
        early.set(member.linkTo, links)
        return undefined
      }
      if (member.bytes === null) return skipMember(progress, member, member.fault ?? 'damaged')
      // The folder is created before the background starts, so that it is not created twice.
      const placed = await unlessOwnFailure(progress, member, async () =>
        pathIn(await makeFolder(parentOf(path)), path),
      )
      if (placed === null) return undefined
      const body = counted(member.bytes(), progress)
      if (member.sizeBytes > smallFileBytes || !member.isSizeExact)
        return writeFile(dependencies, { path: placed, body, member })
      const whole = await unlessOwnFailure(progress, member, () => collect(body))
      if (whole === null) return undefined
      if (running.size >= maxConcurrentWrites) await Promise.race(running.keys())
      writeLater(placed, whole, member)
      return undefined
    },
    async finish() {
      await Promise.all(running.keys())
      if (failure !== undefined) throw failure
      await writeEarlyLinks(early, dependencies, writeLinked)
    },
  }
}

/** Returns the result of a task, or null after a failure that concerns one member only, which is then reported. */
async function unlessOwnFailure<T>(
  progress: WorkProgress,
  member: PackedMember,
  task: () => Promise<T>,
): Promise<T | null> {
  try {
    return await task()
  } catch (error) {
    const fault = ownFailures[codeOf(error)]
    if (fault === undefined) throw error
    skipMember(progress, member, fault)
    return null
  }
}

/** Writes the hard links that came before the members whose content they share. A link may share the content of another one. */
async function writeEarlyLinks(
  early: ReadonlyMap<string, readonly LinkToWrite[]>,
  { progress, written }: MemberWriterDependencies,
  writeLinked: (link: LinkToWrite) => Promise<void>,
): Promise<void> {
  const targets = new Set([...early.keys()].filter((target) => written.has(target)))
  // A set that grows while it is read is read to its end.
  for (const target of targets) {
    for (const link of early.get(target) ?? []) {
      await writeLinked(link)
      const { path } = link.member
      if (path !== null && early.has(path) && written.has(path)) targets.add(path)
    }
  }
  for (const [target, links] of early)
    if (!written.has(target)) for (const { member } of links) skipMember(progress, member, 'link')
}

/** A hard link and the path at which it is extracted. */
type LinkToWrite = { readonly member: PackedMember; readonly path: Path }

/** Returns the path of an entry in a folder that may have another name than the one in the archive. */
function pathIn(folder: Path, path: Path): Path {
  const placed = childOf(folder, nameOf(path))
  if (placed === null) throw new AppError('bad-name')
  return placed
}

/** Reports a member that is left out, by its path, or by its name when that is no path. */
export function skipMember(
  progress: WorkProgress,
  { path, name }: Pick<PackedMember, 'path' | 'name'>,
  fault: MemberFault,
): void {
  progress.skippedCount = (progress.skippedCount ?? 0) + 1
  if (progress.skippedCount > maxReportedPaths) return
  progress.skipped = [...(progress.skipped ?? []), path ?? name]
  progress.skippedReasons = [...(progress.skippedReasons ?? []), fault]
}

type FileToWrite = {
  readonly path: Path
  readonly body: IncomingBody
  readonly member: PackedMember
}

async function writeFile(
  dependencies: MemberWriterDependencies,
  { path, body, member }: FileToWrite,
): Promise<void> {
  const { storage, signal, progress } = dependencies
  const { sizeBytes, isSizeExact, modifiedMs, isExecutable } = member
  const options = {
    overwrite: 'create',
    ...(isSizeExact && { sizeBytes }),
    ...(modifiedMs !== null && { modifiedMs }),
    isExecutable,
    signal,
  } as const
  await unlessOwnFailure(progress, member, async () => {
    // A write whose name is taken ends before it requests the first bytes. When somebody takes the name later, the bytes
    // are gone, and the member is left out.
    let hasBegun = false
    const noted = noteBeginning(body, () => (hasBegun = true))
    const placed = await withFreeName(path, async (free) => {
      if (hasBegun) throw new AppError('busy')
      return storage.apply({ kind: 'write', path: free, body: noted, ...options })
    })
    noteWritten(dependencies, { ...placed, member })
  })
}

/** Calls a function when the first bytes are requested. */
async function* noteBeginning(body: IncomingBody, onBegin: () => void): AsyncGenerator<Uint8Array, void> {
  onBegin()
  yield* body
}

type PlacedEntry = { readonly path: Path; readonly entry: Entry }

/**
 * Creates a file, under a name with a number when the name is taken: by somebody else, by a folder of the archive, or by a
 * name that is the same on this disk.
 */
async function withFreeName(path: Path, create: (path: Path) => Promise<Entry>): Promise<PlacedEntry> {
  for (let n = 0; ; n += 1) {
    const free = childOf(parentOf(path), conflictName(nameOf(path), n))
    if (free === null) throw new AppError('bad-name')
    try {
      return { path: free, entry: await create(free) }
    } catch (error) {
      if (codeOf(error) !== 'name-taken' || n >= maxNameAttempts) throw error
    }
  }
}

/** Writes the content of a hard link as a file of its own: a copy of the file that the link names. */
async function copyLinked(
  dependencies: MemberWriterDependencies,
  member: PackedMember,
  path: Path,
): Promise<void> {
  const { storage, signal, progress, written } = dependencies
  const from = written.get(member.linkTo ?? '')
  if (from === undefined) throw new AppError('not-found')
  const placed = await withFreeName(path, (free) =>
    storage.apply({ kind: 'copy', path: from, to: free, overwrite: 'create', signal }),
  )
  progress.bytes = (progress.bytes ?? 0) + placed.entry.sizeBytes
  noteWritten(dependencies, { ...placed, member })
}

function noteWritten(
  { created, progress, written, memory }: MemberWriterDependencies,
  { path, entry, member }: PlacedEntry & { readonly member: PackedMember },
): void {
  created.addFile(path, entry.etag)
  if (member.path !== null) {
    reserveEntry(memory, member.path)
    written.set(member.path, path)
  }
  progress.files = (progress.files ?? 0) + 1
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}
