import type { NameEncoding } from '../../../shared/domain/name-encodings.ts'
import { AppError, codeOf, type ErrorCode } from '../../../shared/domain/failure.ts'
import { conflictName } from '../../../shared/domain/names.ts'
import { childOf, joinPaths, pathOf, type Path } from '../../../shared/domain/path.ts'
import type { Storage } from '../../storage/port.ts'
import type { PackedMember } from '../reading/packed/packed-file.ts'
import { createCreatedEntries } from './created-entries.ts'
import { extractedName } from './extracted-name.ts'
import { surveyOf, type ArchiveSurvey } from './extraction-survey.ts'
import { createMemberWriter, skipMember, type MemberWriter } from './member-writer.ts'
import { decoderFor, readWithNames, type OpenArchive } from './open-archive.ts'
import type { WorkProgress } from './progress-lines.ts'

type Extraction = {
  readonly storage: Storage
  readonly destination: Path
  /** The encoding that somebody has chosen for names that are not UTF-8. */
  readonly encoding?: NameEncoding | undefined
  readonly signal: AbortSignal
}

/** The number of names that are tried for the new folder. */
const maxNameAttempts = 1000

/**
 * Error codes of failures after which a partial result is useless and is removed. A damaged archive keeps what could
 * be saved.
 */
const undoneFailures: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'aborted',
  'no-space',
  'not-signed-in',
  'over-quota',
  'overloaded',
  'too-large',
])

/**
 * Extracts all members into a new folder, which has the name of the archive or of the only folder in it. Of several members
 * with the same path, the last one is extracted. Symbolic links and devices in the archive are skipped. After a failure,
 * nothing is left of a cancelled extraction, of one for which the disk or the memory is too small, and of one whose session has ended, except what others
 * have changed.
 */
export async function extractMembers(
  archive: OpenArchive,
  extraction: Extraction,
  progress: WorkProgress,
): Promise<void> {
  const { storage, destination, signal } = extraction
  const { result: survey, encoding } = await readWithNames(archive, extraction.encoding, surveyOf)
  const { totalBytes, usedBytes, isQuota } = await storage.usage(destination, { signal })
  if (survey.bytes > totalBytes - usedBytes) throw new AppError(isQuota === true ? 'over-quota' : 'no-space')
  const names = [survey.topFolder ?? archive.stem, archive.stem].map(extractedName)
  const folder = await makeNewFolder(storage, destination, names)
  Object.assign(progress, { path: folder.path, files: 0, bytes: 0 })
  Object.assign(progress, { totalFiles: survey.files, totalBytes: survey.bytes })
  const memory = archive.reserve()
  const created = createCreatedEntries({ storage, signal, memory }, folder)
  const writer = createMemberWriter({ storage, signal, created, progress, written: new Map(), memory })
  const decode = decoderFor(encoding, { isChosen: extraction.encoding !== undefined })
  try {
    await writeMembers(archive.members(decode), { survey, folder: folder.path, writer, progress })
    await created.applyTimes()
  } catch (error) {
    await writer.finish().catch(() => {})
    if (undoneFailures.has(codeOf(error))) await created.removeAll()
    else await created.applyTimes()
    throw error
  }
}

type WritingPlan = {
  readonly survey: ArchiveSurvey
  readonly folder: Path
  readonly writer: MemberWriter
  readonly progress: WorkProgress
}

async function writeMembers(
  members: AsyncIterable<PackedMember>,
  { survey, folder, writer, progress }: WritingPlan,
): Promise<void> {
  let index = -1
  for await (const member of members) {
    index += 1
    if (!survey.isExtracted(index)) continue
    const path = pathBelow(folder, member.path, survey.topFolder)
    if (path === null) skipMember(progress, member, 'name')
    else await writer.write(member, path)
  }
  await writer.finish()
}

type NewFolder = { readonly path: Path; readonly etag: string }

/** Creates a folder with the first name that is possible and free. */
async function makeNewFolder(storage: Storage, parent: Path, names: readonly string[]): Promise<NewFolder> {
  for (const name of names) {
    for (let n = 0; n < maxNameAttempts; n += 1) {
      const path = childOf(parent, conflictName(name, n))
      const outcome = path === null ? 'bad-name' : await tryFolder(storage, path)
      if (typeof outcome === 'object') return outcome
      if (outcome === 'bad-name') break
    }
  }
  throw new AppError('name-taken')
}

async function tryFolder(storage: Storage, path: Path): Promise<NewFolder | 'bad-name' | 'name-taken'> {
  try {
    return { path, etag: (await storage.apply({ kind: 'makeFolder', path })).etag }
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
  const relative = pathOf(`/${below.split('/').map(extractedNameOrNone).join('/')}`)
  return relative === null ? null : joinPaths(folder, relative)
}

const extractedNameOrNone = (name: string): string => (name === '' ? '' : extractedName(name))
