import { type ArchiveMemberRow, type ArchiveMembers, memberFlag } from '../../../shared/contract/archives.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'
import type { ByteReservation } from '../../concurrency/byte-budget.ts'
import { type KeyedLimiter, runLimited } from '../../concurrency/keyed-limiter.ts'
import type { Actor } from '../../access/actor.ts'
import type { NameEncoding } from '../../../shared/domain/name-encodings.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { reserveEntry } from '../reading/packed/archive-memory.ts'
import type { PackedMember } from '../reading/packed/packed-file.ts'
import { closingChunks } from './closing-chunks.ts'
import { readWithNames, type ArchiveOpener, type OpenArchive } from './open-archive.ts'

export type ArchiveReadDependencies = { readonly limiter: KeyedLimiter; readonly openArchive: ArchiveOpener }

/** The number of rows that are encoded together. With paths of the maximum length, the text has 4 MB. */
const rowsPerChunk = 1000

/** An archive whose members are listed. */
export type MemberListing = {
  readonly path: Path
  /** The encoding of names that are not UTF-8. Undefined when it has to be recognized. */
  readonly encoding: NameEncoding | undefined
  readonly signal: AbortSignal
}

/**
 * Lists the members of an archive in their order, as JSON. Of several members with the same path, only the last one is
 * listed. The list counts as memory of the archive until it has been sent.
 */
export function listMembers(
  { limiter, openArchive }: ArchiveReadDependencies,
  { storage, user }: Actor,
  { path, encoding, signal }: MemberListing,
): Promise<AsyncIterable<string>> {
  const principal = `user ${user.id}`
  return runLimited({ limiter, key: principal, signal }, async () => {
    const archive = await openArchive({ storage, path, principal, signal })
    try {
      return closingChunks(jsonOf(await readList(archive, encoding)), () => archive.close())
    } catch (error) {
      await archive.close()
      throw error
    }
  })
}

/** Encodes a list piece by piece, so that only one piece is in memory as text. */
async function* jsonOf({ members, ...list }: ArchiveMembers): AsyncGenerator<string, void> {
  yield `${JSON.stringify(list).slice(0, -1)},"members":[`
  for (let at = 0; at < members.length; at += rowsPerChunk) {
    const rows = JSON.stringify(members.slice(at, at + rowsPerChunk)).slice(1, -1)
    yield at === 0 ? rows : `,${rows}`
  }
  yield ']}'
}

async function readList(archive: OpenArchive, chosen: ArchiveMembers['encoding']): Promise<ArchiveMembers> {
  const { result, encoding } = await readWithNames(archive, chosen, readRows)
  const { hasRepeatedPaths, ...list } = result
  const isWhole = !list.isTruncated && list.isCutOff !== true
  if (isWhole && chosen === undefined) archive.keepFacts({ encoding, hasRepeatedPaths })
  return { ...list, ...(encoding !== null && { encoding }) }
}

type MemberRows = Omit<ArchiveMembers, 'encoding'> & { readonly hasRepeatedPaths: boolean }

/** Collects the rows of members. The list of an archive that is cut off ends where the archive ends. */
async function readRows(members: AsyncIterable<PackedMember>, memory: ByteReservation): Promise<MemberRows> {
  const rows = new Map<string, ArchiveMemberRow>()
  let hidden = 0
  let count = 0
  let pathCharacters = 0
  const listOf = (ending: { readonly isTruncated: boolean; readonly isCutOff?: boolean }): MemberRows => {
    const hasRepeatedPaths = rows.size < count
    return { members: [...rows.values()], hidden, hasRepeatedPaths, ...ending }
  }
  try {
    for await (const member of members) {
      const { path } = member
      if (path === null) hidden += 1
      if (path === null || path === '') continue
      pathCharacters += path.length
      const isFull =
        rows.size >= limits.listedArchiveMembers || pathCharacters > limits.listedArchivePathCharacters
      if (isFull) return listOf({ isTruncated: true })
      count += 1
      if (!rows.has(path)) reserveEntry(memory, path)
      // The row of a repeated path takes the place of the first one.
      rows.set(path, [path, member.sizeBytes, member.modifiedMs ?? 0, flagsOf(member)])
    }
  } catch (error) {
    if (codeOf(error) !== 'cut-off' || rows.size === 0) throw error
    return listOf({ isTruncated: false, isCutOff: true })
  }
  return listOf({ isTruncated: false })
}

function flagsOf({ kind, fault }: PackedMember): number {
  if (kind === 'folder') return memberFlag.folder
  if (fault === null) return 0
  return memberFlag.unreadable | (fault === 'encrypted' ? memberFlag.encrypted : 0)
}
