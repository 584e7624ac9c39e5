import { createHash } from 'node:crypto'
import { AppError } from '../../../shared/domain/failure.ts'
import type { NameEncoding } from '../../../shared/domain/name-encodings.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { Actor } from '../../access/actor.ts'
import type { OpenFile } from '../../storage/port.ts'
import type { PackedMember } from '../reading/packed/packed-file.ts'
import { findMember, type MemberPlace } from './find-member.ts'
import type { ArchiveReadDependencies } from './list-members.ts'
import type { OpenArchive } from './open-archive.ts'

/** The number of bytes at the start of a member that are kept in memory: the type of a file depends on them. */
const headBytes = 64 * 1024

/** A file in an archive. */
export type MemberToOpen = {
  /** The path of the archive. */
  readonly path: Path
  /** The path of the file in the archive. */
  readonly member: string
  /** The encoding of names that are not UTF-8. Undefined when it has to be recognized. */
  readonly encoding: NameEncoding | undefined
}

/** Opens one file in an archive. */
export async function openMember(
  { limiter, openArchive }: ArchiveReadDependencies,
  { storage, user }: Actor,
  { signal, ...wanted }: MemberToOpen & { readonly signal: AbortSignal },
): Promise<OpenFile> {
  const principal = `user ${user.id}`
  const release = await limiter.acquire(principal, signal)
  try {
    const archive = await openArchive({ storage, path: wanted.path, principal, signal })
    try {
      const file = await findFile(archive, wanted)
      const close = async (): Promise<void> => {
        release()
        await archive.close()
      }
      // A file whose bytes are in memory is sent without being closed.
      if (file.whole !== undefined) await close()
      return { ...file, close }
    } catch (error) {
      await archive.close()
      throw error
    }
  } catch (error) {
    release()
    throw error
  }
}

async function findFile(
  archive: OpenArchive,
  { member: path, encoding }: MemberToOpen,
): Promise<Omit<OpenFile, 'close'>> {
  const place = await findMember(archive, path, encoding)
  if (place === null) throw new AppError('not-found')
  for await (const member of membersFrom(archive, place)) {
    if (member.fault === 'encrypted') throw new AppError('encrypted')
    if (member.bytes === null) throw new AppError('undecodable', { reason: 'this file cannot be unpacked' })
    const { sizeBytes, modifiedMs } = member
    const head = Buffer.concat(await collect(member.bytes(), Math.min(sizeBytes, headBytes)))
    const etag = createHash('sha256').update(`${archive.entry.etag}\0${path}`).digest('hex').slice(0, 32)
    return {
      entry: {
        name: path.slice(path.lastIndexOf('/') + 1),
        kind: 'file',
        sizeBytes,
        modifiedMs: modifiedMs ?? 0,
        mode: 0o100_644,
        etag,
      },
      whole: head.length === sizeBytes ? head : undefined,
      bytes: (range) =>
        range.end <= head.length ? headPart(head, range) : memberPart(archive, place, range),
    }
  }
  throw new AppError('not-found')
}

/** Yields the members of an archive from a place on. */
async function* membersFrom(
  archive: OpenArchive,
  { decode, index }: MemberPlace,
): AsyncGenerator<PackedMember, void> {
  let at = 0
  for await (const member of archive.members(decode)) {
    if (at >= index) yield member
    at += 1
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>, count: number): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  let left = count
  if (left === 0) return parts
  for await (const chunk of chunks) {
    parts.push(Buffer.from(chunk.subarray(0, left)))
    left -= Math.min(left, chunk.length)
    if (left === 0) break
  }
  return parts
}

type Range = { readonly start: number; readonly end: number }

async function* headPart(head: Buffer, { start, end }: Range): AsyncGenerator<Uint8Array, void> {
  yield head.subarray(start, end)
}

/** Unpacks the member again from its start, because packed bytes can only be read in their order. */
async function* memberPart(
  archive: OpenArchive,
  place: MemberPlace,
  { start, end }: Range,
): AsyncGenerator<Uint8Array, void> {
  for await (const member of membersFrom(archive, place)) {
    if (member.bytes === null) return
    let position = 0
    for await (const chunk of member.bytes()) {
      const part = chunk.subarray(Math.max(0, start - position), Math.max(0, end - position))
      position += chunk.length
      if (part.length > 0) yield part
      if (position >= end) break
    }
    return
  }
}
