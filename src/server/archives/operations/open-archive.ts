import { AppError } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'
import { nameOf, type Path } from '../../../shared/domain/path.ts'
import type { OpenFile, Storage } from '../../storage/port.ts'
import type { PackedMember } from '../reading/packed-file.ts'
import type { ReaderFinder } from '../reading/readers.ts'
import { maxUnpackedBytes } from '../reading/unpacked-limit.ts'

/** An archive that is open for reading. */
export type OpenArchive = {
  /** The name without the extension, such as `photos` for `photos.tar.gz`. */
  readonly stem: string
  readonly entry: OpenFile['entry']
  /** Reads the members from the first to the last. May be called again when the previous reading has ended. */
  readonly members: () => AsyncGenerator<PackedMember, void>
  readonly close: () => Promise<void>
}

/** Opens an archive. Throws `wrong-media-type` for a file that is not an archive by its name. */
export type ArchiveOpener = (storage: Storage, path: Path, signal: AbortSignal) => Promise<OpenArchive>

export function createArchiveOpener(readerOf: ReaderFinder): ArchiveOpener {
  return async (storage, path, signal) => {
    // The file is opened first, so that a path that the user may not see is refused like a missing one.
    const file = await storage.open(path, { signal })
    try {
      const { read, stem } = readerOf(nameOf(path))
      const { sizeBytes } = file.entry.target ?? file.entry
      const source = { sizeBytes, bytes: (range: { start: number; end: number }) => bytesOf(file, range) }
      return {
        stem,
        entry: file.entry,
        members: () => limited(read(source), { packedBytes: sizeBytes, signal }),
        close: () => file.close(),
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
  for await (const member of members) {
    if (signal.aborted) throw new AppError('aborted')
    count += 1
    bytes += member.sizeBytes
    if (count > limits.archiveMembers || bytes > maxUnpackedBytes(packedBytes))
      throw new AppError('too-large', { reason: 'the archive expands beyond the limit' })
    yield member
  }
}
