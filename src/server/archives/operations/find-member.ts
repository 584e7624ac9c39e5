import { codeOf } from '../../../shared/domain/failure.ts'
import type { ByteReservation } from '../../concurrency/byte-budget.ts'
import { reserveEntry } from '../reading/packed/archive-memory.ts'
import type { NameDecoder, PackedMember } from '../reading/packed/packed-file.ts'
import { readWithNames, decoderFor, type OpenArchive } from './open-archive.ts'
import type { NameEncoding } from '../../../shared/domain/name-encodings.ts'

/** The place of a file in an archive. */
export type MemberPlace = {
  readonly decode: NameDecoder
  /** The position of the member among all members. */
  readonly index: number
}

/**
 * Finds a file in an archive, and of several files with the same path the last one. For a hard link, finds the member that
 * contains its bytes. Returns null when there is no such file.
 */
export async function findMember(
  archive: OpenArchive,
  path: string,
  chosen: NameEncoding | undefined,
): Promise<MemberPlace | null> {
  const known = archive.facts()
  if (known !== undefined) {
    const encoding = chosen ?? known.encoding
    const decode = decoderFor(encoding, { isChosen: chosen !== undefined })
    const search = { path, isFirst: !known.hasRepeatedPaths, memory: archive.reserve() }
    const index = await indexOfPath(archive.members(decode), search)
    return index === null ? null : { decode, index }
  }
  const { result, encoding } = await readWithNames(archive, chosen, (members, memory) =>
    indexOfPath(members, { path, isFirst: false, memory }),
  )
  const decode = decoderFor(encoding, { isChosen: chosen !== undefined })
  return result === null ? null : { decode, index: result }
}

type MemberSearch = {
  readonly path: string
  /** True when no other member has the same path, so that the search ends at the first one. */
  readonly isFirst: boolean
  readonly memory: ByteReservation
}

async function indexOfPath(
  members: AsyncIterable<PackedMember>,
  { path, isFirst, memory }: MemberSearch,
): Promise<number | null> {
  const byOrigin = new Map<string, number>()
  let found: number | null = null
  let index = -1
  try {
    for await (const member of members) {
      index += 1
      if (member.kind !== 'file' || member.path === null) continue
      if (member.bytes !== null && !byOrigin.has(member.path)) reserveEntry(memory, member.path)
      if (member.bytes !== null) byOrigin.set(member.path, index)
      if (member.path === path) found = byOrigin.get(member.linkTo ?? path) ?? index
      if (isFirst && found !== null) return found
    }
  } catch (error) {
    // The part of an archive before its damage can be read.
    if (found === null || !['cut-off', 'undecodable'].includes(codeOf(error))) throw error
  } finally {
    memory.release()
  }
  return found
}
