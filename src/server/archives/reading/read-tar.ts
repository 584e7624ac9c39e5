import { AppError } from '../../../shared/domain/failure.ts'
import { nameOfBytes } from '../../../shared/domain/name-bytes.ts'
import { tarBlockBytes } from '../tar/tar-header.ts'
import { createByteCursor, type ByteCursor } from './byte-cursor.ts'
import { memberPath, type PackedMember } from './packed-file.ts'

/** The headers of a member in a tar file, after extended headers have been applied. */
type TarHeader = {
  readonly name: Buffer
  readonly type: string
  readonly sizeBytes: number
  readonly modifiedMs: number
}

/** Values of extended headers, by the keys of pax. */
type ExtendedFields = ReadonlyMap<string, Buffer>

/** The types of extended headers: those of pax for the next member and for all, and the long names of GNU tar. */
const extendedTypes = ['x', 'g', 'L', 'K']

/** The keys that are used. All others are dropped, so that they take no memory. */
const usedKeys = ['path', 'size', 'mtime', 'GNU.sparse.major', 'GNU.sparse.map']

/** The maximum size in bytes of an extended header, which is read as a whole, and of all of them in one archive. */
const maxExtendedBytes = 1024 * 1024
const maxTotalExtendedBytes = 256 * 1024 * 1024
/**
 * The bytes that are read after the end of the archive. Programs fill up their last record with up to 10 KiB. A decompressor
 * compares its checksum when it is read to its end.
 */
const paddingBytes = 1024 * 1024
/** The maximum number of extended headers before one member. Programs write at most three. */
const maxHeadersInRow = 16

/**
 * Reads a tar file: ustar, pax, and the long names and large numbers of GNU tar. The bytes of a member that nobody
 * requests are skipped.
 */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<PackedMember, void> {
  const cursor = createByteCursor(chunks)
  try {
    let shared: ExtendedFields = new Map()
    let own: ExtendedFields = new Map()
    let headersInRow = 0
    let extendedBytes = 0
    for (let count = 0; ; count += 1) {
      const block = await cursor.read(tarBlockBytes)
      if (block.length === 0) return
      if (isEmpty(block)) {
        await cursor.read(paddingBytes)
        return
      }
      const header = plainHeader(block, count)
      const isExtended = extendedTypes.includes(header.type)
      headersInRow = isExtended ? headersInRow + 1 : 0
      extendedBytes += isExtended ? header.sizeBytes : 0
      if (headersInRow > maxHeadersInRow || extendedBytes > maxTotalExtendedBytes)
        throw new AppError('undecodable', { reason: 'the archive has too many headers' })
      if (header.type === 'g') shared = new Map([...shared, ...(await readPax(cursor, header))])
      else if (header.type === 'x') own = new Map([...own, ...(await readPax(cursor, header))])
      else if (header.type === 'L') own = new Map([...own, ['path', await readLongName(cursor, header)]])
      else if (header.type === 'K') await readLongName(cursor, header)
      else {
        yield* readMember(cursor, withFields(header, new Map([...shared, ...own])))
        own = new Map()
      }
    }
  } finally {
    await cursor.close()
  }
}

async function* readMember(cursor: ByteCursor, header: TarHeader): AsyncGenerator<PackedMember, void> {
  const end = cursor.position() + header.sizeBytes
  const name = nameOfBytes(header.name)
  const isFolder = header.type === '5' || (isPlainFile(header) && name.endsWith('/'))
  yield {
    path: memberPath(name),
    kind: isFolder ? 'folder' : 'file',
    sizeBytes: isPlainFile(header) && !isFolder ? header.sizeBytes : 0,
    modifiedMs: header.modifiedMs,
    bytes: isPlainFile(header) && !isFolder ? () => cursor.bytesUntil(end) : null,
  }
  await cursor.skipTo(end + paddingOf(header.sizeBytes))
}

/** The types of ordinary files: `0`, `7`, and the zero byte of old archives. Links, devices and sparse files have others. */
const isPlainFile = ({ type }: TarHeader): boolean => type === '0' || type === '7' || type === '\0'

const paddingOf = (sizeBytes: number): number => (tarBlockBytes - (sizeBytes % tarBlockBytes)) % tarBlockBytes

const isEmpty = (block: Buffer): boolean => block.every((byte) => byte === 0)

function plainHeader(block: Buffer, count: number): TarHeader {
  if (block.length < tarBlockBytes || !hasRightChecksum(block)) {
    const reason = count === 0 ? 'this is not a tar file' : 'the archive is damaged or cut off'
    throw new AppError('undecodable', { reason })
  }
  const type = String.fromCharCode(block[156] ?? 0)
  const name = textField(block, 0, 100)
  // Only POSIX headers have a prefix. GNU tar keeps other fields there.
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? textField(block, 345, 155) : noBytes
  return {
    name: prefix.length === 0 ? name : Buffer.concat([prefix, slash, name]),
    type,
    sizeBytes: sizeOf(numberField(block, 124, 12)),
    modifiedMs: numberField(block, 136, 12) * 1000,
  }
}

const slash = Buffer.from('/')
const noBytes = Buffer.alloc(0)
const blank = 0x20

/** The checksum is the sum of all bytes of the header, with blanks in the place of the checksum. */
function hasRightChecksum(block: Buffer): boolean {
  let sum = 0
  for (let at = 0; at < tarBlockBytes; at += 1) sum += at >= 148 && at < 156 ? blank : (block[at] ?? 0)
  return sum === numberField(block, 148, 8)
}

function textField(block: Buffer, at: number, length: number): Buffer {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return Buffer.from(end === -1 ? field : field.subarray(0, end))
}

/** Parses octal digits, or the binary form of GNU tar, whose first bit is set. */
function numberField(block: Buffer, at: number, length: number): number {
  const first = block[at] ?? 0
  if (first >= 0x80) {
    const digits = block.toString('hex', at + 1, at + length)
    return Number(BigInt(`0x${digits}`))
  }
  const digits = /[0-7]+/.exec(block.toString('latin1', at, at + length))
  return digits === null ? 0 : Number.parseInt(digits[0], 8)
}

function sizeOf(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0)
    throw new AppError('undecodable', { reason: 'a size is wrong' })
  return number
}

async function readWhole(cursor: ByteCursor, { sizeBytes }: TarHeader): Promise<Buffer> {
  if (sizeBytes > maxExtendedBytes) throw new AppError('undecodable', { reason: 'a header is too large' })
  const body = await cursor.read(sizeBytes)
  if (body.length < sizeBytes) throw new AppError('undecodable', { reason: 'the archive is cut off' })
  await cursor.skipTo(cursor.position() + paddingOf(sizeBytes))
  return Buffer.from(body)
}

async function readLongName(cursor: ByteCursor, header: TarHeader): Promise<Buffer> {
  const body = await readWhole(cursor, header)
  const end = body.indexOf(0)
  return end === -1 ? body : body.subarray(0, end)
}

/** Parses the records of a pax header. Each record is its length in decimal, a blank, the key, `=`, the value and a line feed. */
async function readPax(cursor: ByteCursor, header: TarHeader): Promise<ExtendedFields> {
  const body = await readWhole(cursor, header)
  const fields = new Map<string, Buffer>()
  for (let at = 0; at < body.length;) {
    const length = Number.parseInt(body.toString('latin1', at, at + 20), 10)
    const record = body.subarray(body.indexOf(blank, at) + 1, at + length - 1)
    const equals = record.indexOf('=')
    if (!(length > 0) || equals === -1) throw new AppError('undecodable', { reason: 'a header is damaged' })
    const key = record.toString('latin1', 0, equals)
    if (usedKeys.includes(key)) fields.set(key, record.subarray(equals + 1))
    at += length
  }
  return fields
}

function withFields(header: TarHeader, fields: ExtendedFields): TarHeader {
  const number = (key: string): number | undefined => {
    const value = fields.get(key)
    return value === undefined ? undefined : Number(value.toString('latin1'))
  }
  // A sparse file of GNU tar is a map of its parts, and not its bytes.
  const isSparse = fields.has('GNU.sparse.major') || fields.has('GNU.sparse.map')
  return {
    name: fields.get('path') ?? header.name,
    type: isSparse ? 'S' : header.type,
    sizeBytes: sizeOf(number('size') ?? header.sizeBytes),
    modifiedMs: Math.floor((number('mtime') ?? header.modifiedMs / 1000) * 1000),
  }
}
