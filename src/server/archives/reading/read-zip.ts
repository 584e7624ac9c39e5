import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { AppError } from '../../../shared/domain/failure.ts'
import { memberPath, type PackedMember, type PackedSource } from './packed-file.ts'

/** Reads a zip file. Its members are listed from the directory at its end; their bytes are read on request. */
export async function* readZip(source: PackedSource): AsyncGenerator<PackedMember, void> {
  const zip = await fromRandomAccessReaderPromise(readerOfSource(source), source.sizeBytes, {
    decodeStrings: false,
    autoClose: false,
  }).catch(asUndecodable)
  let packedBytes = 0
  try {
    for await (const entry of zip.eachEntry()) {
      packedBytes += entry.compressedSize
      // Members that share their packed bytes make a small archive expand without bound.
      if (packedBytes > source.sizeBytes) throw new AppError('undecodable', { reason: 'the members overlap' })
      yield memberOf(zip, entry)
    }
  } catch (error) {
    asUndecodable(error)
  } finally {
    zip.close()
  }
}

function memberOf(zip: ZipFile, entry: Entry): PackedMember {
  const name = nameOfEntry(entry)
  const kind = name.endsWith('/') ? 'folder' : 'file'
  return {
    path: memberPath(name),
    kind,
    sizeBytes: kind === 'folder' ? 0 : entry.uncompressedSize,
    modifiedMs: entry.getLastModDate().getTime(),
    bytes: kind === 'file' && entry.canDecodeFileData() && !isLink(entry) ? () => bytesOf(zip, entry) : null,
  }
}

/** Names without the flag for UTF-8 are often UTF-8 nevertheless. Windows writes backslashes between names. */
function nameOfEntry({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const utf8Flag = isUtf8(fileNameRaw) ? 0x800 : 0
  return getFileNameLowLevel(generalPurposeBitFlag | utf8Flag, fileNameRaw, extraFields, false)
}

/** Unix programs store the type and the mode of a file in the upper 16 bits of the attributes. */
const isLink = ({ versionMadeBy, externalFileAttributes }: Entry): boolean =>
  versionMadeBy >> 8 === 3 && ((externalFileAttributes >>> 16) & 0o170000) === 0o120000

async function* bytesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array, void> {
  let crc = 0
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      crc = crc32(chunk as Buffer, crc)
      yield chunk as Buffer
    }
  } catch (error) {
    asUndecodable(error)
  }
  if (crc !== entry.crc32) throw new AppError('undecodable', { reason: 'a checksum does not match' })
}

/** Errors of the library and of zlib mean that the archive is damaged. Errors of the storage keep their codes. */
function asUndecodable(error: unknown): never {
  throw error instanceof AppError ? error : new AppError('undecodable', { cause: error })
}

/** The directory of a zip file is read in small pieces. They are cut from blocks of this size in bytes. */
const blockBytes = 256 * 1024

/** Creates the object through which the library reads the archive. */
function readerOfSource({ sizeBytes, bytes }: PackedSource): RandomAccessReader {
  let block = Buffer.alloc(0)
  let blockStart = 0

  async function readBlock(start: number, length: number): Promise<void> {
    const end = Math.min(sizeBytes, start + Math.max(length, blockBytes))
    const chunks: Uint8Array[] = []
    for await (const chunk of copied(bytes({ start, end }))) chunks.push(chunk)
    block = Buffer.concat(chunks)
    blockStart = start
  }

  const methods: RandomAccessReader = {
    _readStreamForRange: (start, end) => Readable.from(copied(bytes({ start, end }))),
    read(...[buffer, offset, length, position, callback]) {
      const copy = (): void => {
        const at = position - blockStart
        callback(null, block.copy(buffer, offset, at, at + length))
      }
      if (position >= blockStart && position + length <= blockStart + block.length) copy()
      else void readBlock(position, length).then(copy, callback)
    },
  }
  return Object.assign(new RandomAccessReader(), methods)
}

/** Copies each chunk, because the storage uses the memory of a chunk again, and streams keep chunks. */
async function* copied(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}
