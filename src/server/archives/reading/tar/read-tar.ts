import { nameOfBytes } from '../../../../shared/domain/name-bytes.ts'
import { isUtf8 } from 'node:buffer'
import { AppError } from '../../../../shared/domain/failure.ts'
import { limits } from '../../../../shared/domain/limits.ts'
import type { MemberFault } from '../../../../shared/contract/archives.ts'
import { tarBlockBytes } from '../../tar/tar-header.ts'
import { createPeak, reserveEntry } from '../packed/archive-memory.ts'
import { createByteCursor, type ByteCursor } from '../packed/byte-cursor.ts'
import {
  maxMemberNameBytes,
  memberPath,
  reportedName,
  usableTime,
  type NameDecoder,
  type PackedMember,
  type ReadingBounds,
} from '../packed/packed-file.ts'
import {
  createFieldCollector,
  fieldNumber,
  isExtendedHeader,
  type ExtendedFields,
} from './extended-fields.ts'
import { expandSparse, partBytes, readSparseMap, storedBytesOf, type SparseMap } from './sparse-file.ts'
import { hasRightChecksum, parseTarHeader, tarPaddingOf, tarSizeOf, type TarHeader } from './tar-fields.ts'

/**
 * The bytes that are read after what follows the end of the archive and is no archive. A decompressor compares its checksum
 * when it is read to its end.
 */
const trailingBytes = 1024 * 1024

/** The archive that is read: its bytes, and the files that hard links may name. */
type TarReading = {
  readonly cursor: ByteCursor
  readonly decode: NameDecoder
  /** The files so far by path: their sizes, and the paths of the members that contain their bytes. */
  readonly files: Map<string, TarFile>
  readonly memory: ReadingBounds['memory']
  /** Counts the largest map of a sparse file. */
  readonly keepMap: (bytes: number) => void
}

type TarFile = { readonly sizeBytes: number; readonly origin: string }

/**
 * Reads a tar file: ustar, pax, and GNU tar with its long names, large numbers and sparse files. The bytes of a member
 * that nobody requests are skipped. Archives that were joined are read to the end of the last one.
 */
export async function* readTar(
  chunks: AsyncIterable<Uint8Array>,
  decode: NameDecoder,
  { memory }: ReadingBounds,
): AsyncGenerator<PackedMember, void> {
  const reading: TarReading = {
    cursor: createByteCursor(chunks),
    decode,
    files: new Map(),
    memory,
    keepMap: createPeak(memory),
  }
  const { cursor } = reading
  const collector = createFieldCollector(memory)
  let members = 0
  try {
    for (;;) {
      const block = await nextHeader(cursor)
      if (block === null) return
      const header = parseTarHeader(block)
      if (isExtendedHeader(header)) {
        await collector.add(cursor, header)
        continue
      }
      // Labels count, too, although nobody sees them.
      members += 1
      if (members > limits.archiveMembers) throw new AppError('too-large', { reason: 'too many members' })
      yield* readMember(reading, header, collector.take())
    }
  } finally {
    await cursor.close()
  }
}

/**
 * Returns the next header, or null at the end. Two blocks of zeros end an archive, but another archive may follow them. A
 * lone block of zeros ends nothing. An archive without any block of zeros at its end is cut off.
 */
async function nextHeader(cursor: ByteCursor): Promise<Buffer | null> {
  const isFirst = cursor.position() === 0
  for (let emptyBlocks = 0; ; emptyBlocks += 1) {
    const block = await cursor.read(tarBlockBytes)
    if (block.length === 0 && !isFirst && emptyBlocks === 0) throw new AppError('cut-off')
    if (block.length === 0) return null
    if (isZero(block)) continue
    if (hasRightChecksum(block)) return block
    if (isFirst) throw new AppError('undecodable', { reason: 'this is not a tar file' })
    if (emptyBlocks < 2) throw block.length < tarBlockBytes ? new AppError('cut-off') : damaged()
    await skipAtMost(cursor, trailingBytes)
    return null
  }
}

const zeroBlock = Buffer.alloc(tarBlockBytes)

/** Returns true for a block of zeros. Most blocks are headers, whose first byte decides. */
const isZero = (block: Uint8Array): boolean =>
  block[0] === 0 && zeroBlock.subarray(0, block.length).equals(block)

async function skipAtMost(cursor: ByteCursor, count: number): Promise<void> {
  await cursor.read(count)
}

const damaged = (): AppError => new AppError('undecodable', { reason: 'the archive is damaged' })

async function* readMember(
  reading: TarReading,
  plainHeader: TarHeader,
  fields: ExtendedFields,
): AsyncGenerator<PackedMember, void> {
  const { cursor, keepMap } = reading
  const header = withFields(plainHeader, fields)
  // A label names the whole archive and is no member.
  const isMember = header.type !== 'V'
  // GNU tar writes its map between the header and the bytes, so that only the bytes after the map have this size.
  const start = header.type === 'S' ? null : cursor.position()
  const sparse = await readSparseMap(cursor, header, fields)
  if (sparse !== null) keepMap(sparse.parts.length * partBytes)
  const packedBytes = header.type === '1' ? await sizeOfLink(cursor, header) : header.sizeBytes
  const end = (start ?? cursor.position()) + packedBytes
  if (sparse !== null && cursor.position() + storedBytesOf(sparse) > end) throw damaged()
  if (isMember) yield memberOf(reading, { header, sparse, end, fields })
  await cursor.skipTo(end + tarPaddingOf(packedBytes))
}

/**
 * Returns the number of bytes that follow a hard link. Most programs write none and some of them the size of the file
 * nevertheless, so that the next block decides.
 */
async function sizeOfLink(cursor: ByteCursor, { sizeBytes }: TarHeader): Promise<number> {
  if (sizeBytes === 0) return 0
  const block = Buffer.from(await cursor.read(tarBlockBytes))
  cursor.unread(block)
  return hasRightChecksum(block) || block.every((byte) => byte === 0) ? 0 : sizeBytes
}

type MemberParts = {
  readonly header: TarHeader
  readonly sparse: SparseMap | null
  /** The position at which the bytes of the member end. */
  readonly end: number
  readonly fields: ExtendedFields
}

function memberOf(reading: TarReading, { header, sparse, end, fields }: MemberParts): PackedMember {
  const { cursor, decode, files } = reading
  const name = textOf(header.name, decode)
  const isFile = isFileType(header.type)
  const isFolder = header.type === '5' || header.type === 'D' || (isFile && name.endsWith('/'))
  const path = memberPath(name)
  const common = {
    path,
    name: reportedName(name),
    modifiedMs: usableTime((fieldNumber(fields, 'mtime') ?? header.modifiedSeconds) * 1000),
    isExecutable: (header.mode & 0o100) !== 0,
    linkTo: null,
    fault: null,
    bytes: null,
    sizeBytes: 0,
    isSizeExact: true,
  }
  if (isFolder) return { ...common, kind: 'folder' }
  if (isFile) {
    const sizeBytes = sparse?.sizeBytes ?? header.sizeBytes
    if (path !== null) keepFile(reading, path, { sizeBytes, origin: path })
    const bytes = () => (sparse === null ? cursor.bytesUntil(end) : expandSparse(cursor, sparse))
    return { ...common, kind: 'file', sizeBytes, bytes }
  }
  const target = header.type === '1' ? memberPath(textOf(header.linkName, decode)) : null
  const file = target === null ? undefined : files.get(target)
  if (file === undefined) return { ...common, kind: 'file', fault: faultOfType(header.type), linkTo: target }
  if (path !== null) keepFile(reading, path, file)
  return { ...common, kind: 'file', sizeBytes: file.sizeBytes, linkTo: file.origin }
}

function keepFile({ files, memory }: TarReading, path: string, file: TarFile): void {
  if (!files.has(path)) reserveEntry(memory, path)
  files.set(path, file)
}

/** The types of files with bytes: `0`, `7`, the zero byte of old archives, and `S` for the sparse files of GNU tar. */
const isFileType = (type: string): boolean => ['0', '7', '\0', 'S'].includes(type)

const faultOfType = (type: string): MemberFault => (type === '1' || type === '2' ? 'link' : 'special')

/** Decodes a name. One that is too long for any path is cut, and made absolute, so that it is not a valid path. */
function textOf(bytes: Buffer, decode: NameDecoder): string {
  if (bytes.length > maxMemberNameBytes) return `/${nameOfBytes(bytes.subarray(0, maxMemberNameBytes))}`
  return isUtf8(bytes) ? bytes.toString('utf8') : decode(bytes)
}

function withFields(header: TarHeader, fields: ExtendedFields): TarHeader {
  return {
    ...header,
    name: fields.get('GNU.sparse.name')?.[0] ?? fields.get('path')?.[0] ?? header.name,
    linkName: fields.get('linkpath')?.[0] ?? header.linkName,
    sizeBytes: tarSizeOf(fieldNumber(fields, 'size') ?? header.sizeBytes),
  }
}
