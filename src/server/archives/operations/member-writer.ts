import type { MemberFault } from '../../../shared/contract/archives.ts'
import type { Entry } from '../../../shared/domain/entry.ts'
import { AppError, codeOf, type ErrorCode } from '../../../shared/domain/failure.ts'
import { conflictName } from '../../../shared/domain/names.ts'
import { childOf, nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import type { ByteReservation } from '../../concurrency/byte-budget.ts'
import { smallFileBytes, type IncomingBody, type Storage } from '../../storage/port.ts'
import { streamOfBytes } from '../../storage/stream-of-bytes.ts'
import { reserveEntry } from '../reading/packed/archive-memory.ts'
import type { PackedMember } from '../reading/packed/packed-file.ts'
import type { CreatedEntries } from './created-entries.ts'
import type { WorkProgress } from './progress-lines.ts'

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
  const { progress, created } = dependencies
  const running = new Set<Promise<void>>()
  let failure: unknown

  function writeLater(path: Path, body: Uint8Array, member: PackedMember): void {
    const task = writeFile(dependencies, { path, body: streamOfBytes(body), member })
      .catch((error: unknown) => void (failure ??= error))
      .finally(() => running.delete(task))
    running.add(task)
  }

  return {
    async write(member, path) {
      if (failure !== undefined) throw failure
      if (member.kind === 'folder') {
        await unlessOwnFailure(progress, member, () => created.makeFolder(path))
        return created.setTime(path, member.modifiedMs)
      }
      if (member.linkTo !== null) {
        await Promise.all(running)
        return copyLinked(dependencies, member, path)
      }
      if (member.bytes === null) return skipMember(progress, member, member.fault ?? 'damaged')
      // The folder is created before the background starts, so that it is not created twice.
      const folder = await unlessOwnFailure(progress, member, async () => {
        await created.makeFolder(parentOf(path))
        return path
      })
      if (folder === null) return
      const body = counted(member.bytes(), progress)
      if (member.sizeBytes > smallFileBytes || !member.isSizeExact)
        return writeFile(dependencies, { path, body, member })
      const whole = await unlessOwnFailure(progress, member, () => collect(body))
      if (whole === null) return
      if (running.size >= maxConcurrentWrites) await Promise.race(running)
      writeLater(path, whole, member)
    },
    async finish() {
      await Promise.all(running)
      if (failure !== undefined) throw failure
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

/** Reports a member that is left out. */
export function skipMember(
  progress: WorkProgress,
  { path }: Pick<PackedMember, 'path'>,
  fault: MemberFault,
): void {
  progress.skippedCount = (progress.skippedCount ?? 0) + 1
  if (progress.skippedCount > maxReportedPaths) return
  progress.skipped = [...(progress.skipped ?? []), path ?? '']
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
      return storage.write(free, noted, options)
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
  const { storage, signal, progress, created, written } = dependencies
  const from = written.get(member.linkTo ?? '')
  if (from === undefined) return skipMember(progress, member, 'link')
  await unlessOwnFailure(progress, member, async () => {
    await created.makeFolder(parentOf(path))
    const placed = await withFreeName(path, (free) =>
      storage.copy(from, free, { overwrite: 'create', signal }),
    )
    progress.bytes = (progress.bytes ?? 0) + placed.entry.sizeBytes
    noteWritten(dependencies, { ...placed, member })
  })
}

type WrittenMember = PlacedEntry & { readonly member: PackedMember }

function noteWritten(
  { created, progress, written, memory }: MemberWriterDependencies,
  { path, entry, member }: WrittenMember,
): void {
  created.addFile(path, entry.etag)
  if (member.path !== null) {
    reserveEntry(memory, member.path)
    written.set(member.path, path)
  }
  progress.files = (progress.files ?? 0) + 1
}

/** Counts the bytes, and copies each chunk, because the reader may use the memory of a chunk again. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  progress: WorkProgress,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    progress.bytes = (progress.bytes ?? 0) + chunk.length
    yield Buffer.from(chunk)
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}
