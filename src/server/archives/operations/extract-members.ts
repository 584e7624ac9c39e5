import { AppError, codeOf, type ErrorCode } from '../../../shared/domain/failure.ts'
import { numberedName } from '../../../shared/domain/names.ts'
import {
  childOf,
  isWithin,
  joinPaths,
  parentOf,
  pathOf,
  root,
  type Path,
} from '../../../shared/domain/path.ts'
import { smallFileBytes, type Storage } from '../../storage/port.ts'
import type { PackedMember } from '../reading/packed-file.ts'
import type { OpenArchive } from './open-archive.ts'
import type { WorkProgress } from './progress-lines.ts'

type Extraction = {
  readonly storage: Storage
  readonly destination: Path
  readonly signal: AbortSignal
}

/** The number of small files that are written at the same time. Each write waits for the disk. */
const maxConcurrentWrites = 8
/** The maximum number of skipped paths in the report. */
const maxReportedPaths = 100
/** The number of names that are tried for the new folder. */
const maxNameAttempts = 1000

/**
 * Error codes of failures that concern only one member. This member is skipped and reported, and the other members are
 * extracted.
 */
const ownFailures: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'bad-name',
  'forbidden',
  'is-a-folder',
  'name-taken',
  'not-a-folder',
  'undecodable',
])

/**
 * Error codes of failures after which a partial result is useless and is removed. A damaged archive keeps what could
 * be saved.
 */
const undoneFailures: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'aborted',
  'no-space',
  'not-signed-in',
  'too-large',
])

/**
 * Extracts all members into a new folder, which has the name of the archive or of the only folder in it. Links and
 * devices in the archive are skipped. After a failure, nothing is left of a cancelled extraction, of one for which the
 * disk is too small, and of one whose session has ended.
 */
export async function extractMembers(
  archive: OpenArchive,
  extraction: Extraction,
  progress: WorkProgress,
): Promise<void> {
  const { storage, destination, signal } = extraction
  const survey = await surveyOf(archive)
  const { totalBytes, usedBytes } = await storage.usage(destination, { signal })
  if (survey.bytes > totalBytes - usedBytes) throw new AppError('no-space')
  const folder = await makeNewFolder(storage, destination, [survey.topFolder ?? archive.stem, archive.stem])
  Object.assign(progress, { path: folder, files: 0, bytes: 0 })
  Object.assign(progress, { totalFiles: survey.files, totalBytes: survey.bytes })
  const created: Path[] = [folder]
  const writer = createMemberWriter({ ...extraction, created, progress })
  try {
    for await (const member of archive.members()) {
      const path = pathBelow(folder, member.path, survey.topFolder)
      if (path !== folder) await writer.write(member, path)
    }
    await writer.finish()
  } catch (error) {
    await writer.finish().catch(() => {})
    if (undoneFailures.has(codeOf(error))) await removeCreated(storage, created)
    throw error
  }
}

type ArchiveSummary = { readonly files: number; readonly bytes: number; readonly topFolder: string | null }

/**
 * Reads the archive once without its bytes, so that the total is known for the progress, and an extraction that cannot
 * succeed is refused at once.
 */
async function surveyOf(archive: OpenArchive): Promise<ArchiveSummary> {
  let files = 0
  let bytes = 0
  const tops = new Set<string>()
  let isFolder = true
  for await (const { path, kind, sizeBytes } of archive.members()) {
    if (kind === 'file') files += 1
    bytes += sizeBytes
    if (path === null || path === '' || tops.size > 1) continue
    const [top = ''] = path.split('/')
    tops.add(top)
    if (top === path && kind === 'file') isFolder = false
  }
  const [top = null] = tops
  return { files, bytes, topFolder: tops.size === 1 && isFolder ? top : null }
}

/** Creates a folder with the first name that is possible and free. */
async function makeNewFolder(storage: Storage, parent: Path, names: readonly string[]): Promise<Path> {
  for (const name of names) {
    for (let n = 0; n < maxNameAttempts; n += 1) {
      const path = childOf(parent, numberedName(name, n))
      const outcome = path === null ? 'bad-name' : await tryFolder(storage, path)
      if (outcome === 'made' && path !== null) return path
      if (outcome === 'bad-name') break
    }
  }
  throw new AppError('name-taken')
}

async function tryFolder(storage: Storage, path: Path): Promise<'made' | 'bad-name' | 'name-taken'> {
  try {
    await storage.makeFolder(path)
    return 'made'
  } catch (error) {
    const code = codeOf(error)
    if (code === 'bad-name' || code === 'name-taken') return code
    throw error
  }
}

/**
 * Returns the path at which a member is extracted, or null for a member that is skipped. The only folder of an archive
 * becomes the new folder.
 */
function pathBelow(folder: Path, memberPath: string | null, topFolder: string | null): Path | null {
  if (memberPath === null) return null
  const below = topFolder === null ? memberPath : memberPath.slice(topFolder.length + 1)
  const relative = pathOf(`/${below}`)
  return relative === null ? null : joinPaths(folder, relative)
}

type MemberWriter = {
  /** Writes a member. `path` is null for a member that is skipped. Small files are written in the background. */
  readonly write: (member: PackedMember, path: Path | null) => Promise<void>
  /** Waits for all writes. */
  readonly finish: () => Promise<void>
}

type RunningExtraction = Extraction & { readonly created: Path[]; readonly progress: WorkProgress }

function createMemberWriter(writing: RunningExtraction): MemberWriter {
  const { progress } = writing
  const running = new Set<Promise<void>>()
  let failure: unknown

  function writeLater(path: Path, body: Uint8Array, member: PackedMember): void {
    const task = writeFile(writing, { path, body: once(body), member })
      .catch((error: unknown) => void (failure ??= error))
      .finally(() => running.delete(task))
    running.add(task)
  }

  return {
    async write(member, path) {
      if (failure !== undefined) throw failure
      const { kind, bytes, sizeBytes } = member
      if (path === null) return skip(progress, member)
      if (kind === 'folder') return writeFolder(writing, path, member)
      if (bytes === null) return skip(progress, member)
      const body = counted(bytes(), progress)
      if (sizeBytes > smallFileBytes) return writeFile(writing, { path, body, member })
      const whole = await unlessOwnFailure(collect(body))
      if (whole === null) return skip(progress, member)
      if (running.size >= maxConcurrentWrites) await Promise.race(running)
      writeLater(path, whole, member)
    },
    async finish() {
      await Promise.all(running)
      if (failure !== undefined) throw failure
    },
  }
}

/** Returns the result of a task, or null after a failure that concerns one member only. */
async function unlessOwnFailure<T>(task: Promise<T>): Promise<T | null> {
  try {
    return await task
  } catch (error) {
    if (ownFailures.has(codeOf(error))) return null
    throw error
  }
}

function skip(progress: WorkProgress, { path }: PackedMember): void {
  progress.skippedCount = (progress.skippedCount ?? 0) + 1
  if (progress.skippedCount <= maxReportedPaths) progress.skipped = [...(progress.skipped ?? []), path ?? '']
}

type FileToWrite = {
  readonly path: Path
  readonly body: AsyncIterable<Uint8Array>
  readonly member: PackedMember
}

async function writeFile(
  { storage, signal, created, progress }: RunningExtraction,
  { path, body, member }: FileToWrite,
): Promise<void> {
  const { sizeBytes, modifiedMs } = member
  const options = { overwrite: 'create', sizeBytes, modifiedMs, parents: true, signal } as const
  // The folder may be created for the file, also when the file itself cannot be written.
  created.push(parentOf(path))
  if ((await unlessOwnFailure(storage.write(path, body, options))) === null) return skip(progress, member)
  created.push(path)
  progress.files = (progress.files ?? 0) + 1
}

async function writeFolder(
  { storage, signal, created, progress }: RunningExtraction,
  path: Path,
  member: PackedMember,
) {
  const options = { parents: true, mayExist: true, signal }
  if ((await unlessOwnFailure(storage.makeFolder(path, options))) === null) skip(progress, member)
  else created.push(path)
}

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

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  if (bytes.length > 0) yield bytes
}

/**
 * Removes the files and folders that the extraction has created, and nothing else: what somebody else has put into a
 * folder meanwhile stays there, and so does the folder.
 */
async function removeCreated(storage: Storage, created: readonly Path[]): Promise<void> {
  const [top = root] = created
  const folders = new Set<Path>()
  for (const path of new Set(created)) {
    await storage.remove(path, { recursive: false, undoes: true }).catch(() => folders.add(path))
    for (let above = parentOf(path); isWithin(above, top) && !folders.has(above); above = parentOf(above))
      folders.add(above)
  }
  const deepestFirst = [...folders].toSorted((a, b) => b.length - a.length)
  for (const path of deepestFirst)
    await storage.remove(path, { recursive: false, undoes: true }).catch(() => {})
}
