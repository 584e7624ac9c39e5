import { createBoundedMap } from '../../concurrency/bounded-map.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'
import type { NameEncoding } from '../../../shared/domain/name-encodings.ts'
import { nameOf, type Path } from '../../../shared/domain/path.ts'
import type { ByteReservation } from '../../concurrency/byte-budget.ts'
import type { OpenFile, Storage } from '../../storage/port.ts'
import { nameDecoderOf } from '../reading/names/decode-name.ts'
import { createNameSampler } from '../reading/names/name-sampler.ts'
import type { ArchiveMemory } from '../reading/packed/archive-memory.ts'
import type { NameDecoder, PackedMember } from '../reading/packed/packed-file.ts'
import type { ReaderFinder } from '../reading/readers.ts'
import { untilAborted } from '../reading/packed/until-aborted.ts'
import { maxUnpackedBytes } from '../reading/packed/unpacked-limit.ts'

/** The facts that a complete reading of an archive has shown. They save a second reading of the same archive. */
export type ArchiveFacts = {
  /** The encoding of names that are not UTF-8. Null when all names are UTF-8. */
  readonly encoding: NameEncoding | null
  /** True when several members have the same path. */
  readonly hasRepeatedPaths: boolean
}

/** An archive that is open for reading. */
export type OpenArchive = {
  /** The name without the extension, such as `photos` for `photos.tar.gz`. */
  readonly stem: string
  readonly entry: OpenFile['entry']
  /** Reads the members from the first to the last. May be called again when the previous reading has ended. */
  readonly members: (decode: NameDecoder) => AsyncGenerator<PackedMember, void>
  /** Returns the facts of a previous reading of the same bytes. */
  readonly facts: () => ArchiveFacts | undefined
  readonly keepFacts: (facts: ArchiveFacts) => void
  /** Opens a reservation for facts of members that an operation keeps. It is released when the archive is closed. */
  readonly reserve: () => ByteReservation
  readonly close: () => Promise<void>
}

/** An archive to open, and who reads it. */
export type ArchiveToOpen = {
  readonly storage: Storage
  readonly path: Path
  /** Identifies the user, who has a share of the memory of all archives. */
  readonly principal: string
  readonly signal: AbortSignal
}

/**
 * Opens an archive. Throws `wrong-media-type` for a file that is not an archive by its name. Readings of the archive throw
 * `overloaded` when all archives that are open need too much memory, or those of the user.
 */
export type ArchiveOpener = (archive: ArchiveToOpen) => Promise<OpenArchive>

/** The number of archives whose facts are in memory, about 100 bytes for each. */
const maxKnownArchives = 1000

export function createArchiveOpener(readerOf: ReaderFinder, memory: ArchiveMemory): ArchiveOpener {
  const known = createBoundedMap<string, ArchiveFacts>(maxKnownArchives)
  return async ({ storage, path, principal, signal }) => {
    // The file is opened first, so that a path that the user may not see is refused like a missing one.
    const file = await storage.open(path, { signal })
    try {
      const { read, stem } = readerOf(nameOf(path))
      const { sizeBytes } = file.entry.target ?? file.entry
      const { etag } = file.entry
      const source = { sizeBytes, bytes: (range: { start: number; end: number }) => bytesOf(file, range) }
      const reservations: ByteReservation[] = []
      return {
        stem,
        entry: file.entry,
        async *members(decode) {
          const reservation = memory.reserve(principal)
          try {
            yield* limited(read(source, decode, { memory: reservation, signal }), {
              packedBytes: sizeBytes,
              signal,
            })
          } finally {
            reservation.release()
          }
        },
        facts: () => known.get(etag),
        keepFacts: (facts) => known.set(etag, facts),
        reserve() {
          const reservation = memory.reserve(principal)
          reservations.push(reservation)
          return reservation
        },
        close() {
          reservations.forEach(({ release }) => release())
          return file.close()
        },
      }
    } catch (error) {
      await file.close()
      throw error
    }
  }
}

async function* bytesOf(
  file: OpenFile,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array, void> {
  if (file.whole === undefined) yield* file.bytes({ start, end })
  else if (end > start) yield file.whole.subarray(start, end)
}

/** Stops reading an archive whose members expand beyond the limit, before the bytes of the member are unpacked. */
async function* limited(
  members: AsyncIterable<PackedMember>,
  { packedBytes, signal }: { readonly packedBytes: number; readonly signal: AbortSignal },
): AsyncGenerator<PackedMember, void> {
  let count = 0
  let bytes = 0
  let pathCharacters = 0
  for await (const member of members) {
    if (signal.aborted) throw new AppError('aborted')
    count += 1
    bytes += member.sizeBytes
    pathCharacters += member.path?.length ?? 0
    const hasTooMany = count > limits.archiveMembers || pathCharacters > limits.archivePathCharacters
    if (hasTooMany || bytes > maxUnpackedBytes(packedBytes))
      throw new AppError('too-large', { reason: 'the archive expands beyond the limit' })
    const { bytes: open } = member
    yield open === null ? member : { ...member, bytes: () => untilAborted(open(), signal) }
  }
}

/** The result of a reading, and the encoding of the names that are not UTF-8. */
export type NamedReading<T> = { readonly result: T; readonly encoding: NameEncoding | null }

/**
 * Reads an archive with its names in the given encoding. Without an encoding, it is recognized from all names, and the
 * archive is read again when there are names that are not UTF-8. `read` counts what it keeps in the reservation that it is
 * given.
 */
export async function readWithNames<T>(
  archive: OpenArchive,
  chosen: NameEncoding | undefined,
  read: (members: AsyncIterable<PackedMember>, memory: ByteReservation) => Promise<T>,
): Promise<NamedReading<T>> {
  const memory = archive.reserve()
  if (chosen !== undefined) {
    const result = await read(archive.members(nameDecoderOf(chosen, { isChosen: true })), memory)
    return { result, encoding: chosen }
  }
  const sampler = createNameSampler()
  const result = await read(archive.members(sampler.decode), memory)
  const encoding = sampler.detect()
  if (encoding === null) return { result, encoding }
  memory.release()
  return {
    result: await read(archive.members(nameDecoderOf(encoding, { isChosen: false })), memory),
    encoding,
  }
}

/** Returns the decoder with which an archive is read once its encoding is known. */
export const decoderFor = (
  encoding: NameEncoding | null,
  { isChosen }: { readonly isChosen: boolean },
): NameDecoder => nameDecoderOf(encoding ?? 'utf-8', { isChosen })
