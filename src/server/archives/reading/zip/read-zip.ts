import { isUtf8 } from 'node:buffer'
import { crc32, createInflateRaw } from 'node:zlib'
import { AppError } from '../../../../shared/domain/failure.ts'
import { nameOfBytes } from '../../../../shared/domain/name-bytes.ts'
import type { MemberFault } from '../../../../shared/contract/archives.ts'
import { pipeThrough } from '../../compressions/pipe-through.ts'
import {
  maxMemberNameBytes,
  memberPath,
  reportedName,
  usableTime,
  type NameDecoder,
  type PackedMember,
  type PackedSource,
} from '../packed/packed-file.ts'
import { readRange } from '../packed/read-range.ts'
import { findZipDirectory, zipSignature } from './directory-end.ts'
import { readZipRows, type ZipRow } from './directory-rows.ts'

const localHeaderBytes = 30
const [stored, deflated] = [0, 8]
/** Bits of the flags: encrypted, encrypted with a certificate, and a directory that is encrypted. */
const encryptedFlags = 0x0001 | 0x0040 | 0x2000
/** The method of members that are encrypted with AES. */
const aesMethod = 99
/** The systems that separate names by backslashes: MS-DOS, OS/2, Windows NTFS, and VFAT. */
const backslashSystems: ReadonlySet<number> = new Set([0, 6, 10, 14])
/** The types of Unix in the mode of a member. */
const [typeMask, linkType, folderType, fileType] = [0o170000, 0o120000, 0o040000, 0o100000]
/** Info-ZIP gives this type to a member that it packed from its standard input (`mysqldump … | zip backup.zip -`). */
const pipeType = 0o010000

const wrap = 2 ** 32

const decoderChunkBytes = 128 * 1024

/** Reads a zip file. Its members are listed from the directory at its end; their bytes are read on request. */
export async function* readZip(
  source: PackedSource,
  decode: NameDecoder,
): AsyncGenerator<PackedMember, void> {
  const directory = await findZipDirectory(source)
  let packedBytes = 0
  for await (const row of readZipRows(source, directory)) {
    packedBytes += row.packedBytes
    // Members that share their packed bytes make a small archive expand without bound.
    if (packedBytes > source.sizeBytes) throw new AppError('too-large', { reason: 'the members overlap' })
    yield memberOf(source, row, decode)
  }
}

function memberOf(source: PackedSource, row: ZipRow, decode: NameDecoder): PackedMember {
  const name = nameOf(row, decode)
  const type = row.unixMode & typeMask
  const kind = name.endsWith('/') || type === folderType ? 'folder' : 'file'
  const fault = kind === 'folder' ? null : faultOf(row, type)
  return {
    // A name that leads out of the archive on Windows is not extracted here either.
    path: memberPath(name.replaceAll('\\', '/')) === null ? null : memberPath(name),
    name: reportedName(name),
    kind,
    sizeBytes: kind === 'folder' ? 0 : row.sizeBytes,
    isSizeExact: row.isSizeExact,
    modifiedMs: usableTime(row.modifiedMs),
    isExecutable: (row.unixMode & 0o100) !== 0,
    fault,
    linkTo: null,
    bytes: kind === 'file' && fault === null ? () => bytesOf(source, row) : null,
  }
}

function faultOf({ flags, method, packedBytes }: ZipRow, type: number): MemberFault | null {
  if ((flags & encryptedFlags) !== 0 || method === aesMethod) return 'encrypted'
  if (type === linkType) return 'link'
  // A named pipe has no bytes, so a pipe with bytes is a file that was packed from a stream.
  const isFile = type === 0 || type === fileType || (type === pipeType && packedBytes > 0)
  if (!isFile) return 'special'
  return method === stored || method === deflated ? null : 'method'
}

/** Names without the flag for UTF-8 are often UTF-8 nevertheless. Windows writes backslashes between names. */
function nameOf({ name, isUtf8: isDeclaredUtf8, system }: ZipRow, decode: NameDecoder): string {
  if (name.length > maxMemberNameBytes) return `/${nameOfBytes(name.subarray(0, maxMemberNameBytes))}`
  const isAscii = name.every((byte) => byte < 0x80)
  const text = isAscii || (isDeclaredUtf8 && isUtf8(name)) ? nameOfBytes(name) : decode(name)
  // Programs on Unix pack names that they got from Windows, too.
  const isWindowsPath = backslashSystems.has(system) || /^[A-Za-z]:\\/.test(text)
  return isWindowsPath ? text.replaceAll('\\', '/') : text
}

async function* bytesOf(source: PackedSource, row: ZipRow): AsyncGenerator<Uint8Array, void> {
  const header = await readRange(source, row.start, row.start + localHeaderBytes)
  if (header.length < localHeaderBytes || header.readUInt32LE() !== zipSignature.local)
    throw new AppError('undecodable', { reason: 'a member is not where the directory says' })
  const start = row.start + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (start + row.packedBytes > source.sizeBytes) throw new AppError('cut-off')
  const packed = source.bytes({ start, end: start + row.packedBytes })
  let crc = 0
  let sizeBytes = 0
  for await (const chunk of row.method === stored ? packed : inflated(packed)) {
    sizeBytes += chunk.length
    if (row.isSizeExact && sizeBytes > row.sizeBytes) break
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (row.isSizeExact ? sizeBytes !== row.sizeBytes : (sizeBytes - row.sizeBytes) % wrap !== 0)
    throw new AppError('undecodable', { reason: 'a size does not match' })
  if (crc !== row.crc) throw new AppError('undecodable', { reason: 'a checksum does not match' })
}

/** Errors of zlib mean that the archive is damaged. Errors of the storage keep their codes. */
async function* inflated(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* pipeThrough(packed, createInflateRaw({ chunkSize: decoderChunkBytes }))
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('undecodable', { cause: error })
  }
}
