import { crc32 } from 'node:zlib'
import { AppError } from '../../../../shared/domain/failure.ts'
import { createByteCursor, type ByteCursor } from '../packed/byte-cursor.ts'
import type { PackedSource } from '../packed/packed-file.ts'
import { numberAt, signatureAt, zipSignature, type ZipDirectory } from './directory-end.ts'

const rowBytes = 46
const wrap = 2 ** 32
const [largest32, largest16] = [0xffff_ffff, 0xffff]

/** The identifiers of extra fields: 64-bit numbers, times of NTFS and Unix, the name in UTF-8, and the encryption AES. */
const extraField = { zip64: 0x0001, ntfs: 0x000a, unixTime: 0x5455, unicodeName: 0x7075 } as const

/** A row of the directory of a zip file. */
export type ZipRow = {
  readonly name: Buffer
  /** True when the archive declares that the name is UTF-8. */
  readonly isUtf8: boolean
  /** The upper byte of *version made by*: the system on which the archive was made. */
  readonly system: number
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packedBytes: number
  readonly sizeBytes: number
  /** False when only the lower 32 bits of the size are known. */
  readonly isSizeExact: boolean
  /** The Unix mode with its type, or 0 when the archive does not contain it. */
  readonly unixMode: number
  readonly modifiedMs: number | null
  /** The position of the member's own header in the file. */
  readonly start: number
}

/**
 * Yields the rows of a directory up to its end, whatever number of members the archive claims. Throws `cut-off` when there
 * are fewer rows than the archive claims.
 */
export async function* readZipRows(
  source: PackedSource,
  directory: ZipDirectory,
): AsyncGenerator<ZipRow, void> {
  const rows = openRows(source, directory)
  // Positions of 32 bits are complete in small archives.
  if (directory.is64 || directory.start < wrap)
    for await (const { offset, ...row } of rows) yield { ...row, start: offset + directory.shift }
  else yield* unwrappedRows(source, directory, rows)
}

async function* openRows(source: PackedSource, directory: ZipDirectory): AsyncGenerator<OpenRow, void> {
  const cursor = createByteCursor(source.bytes({ start: directory.start, end: directory.end }))
  let count = 0
  try {
    for (let row = await nextRow(cursor); row !== null; row = await nextRow(cursor)) {
      count += 1
      yield row
    }
  } finally {
    await cursor.close()
  }
  const isComplete = directory.is64 ? count >= directory.count : count % (largest16 + 1) === directory.count
  if (!isComplete && directory.count !== largest16) throw new AppError('cut-off')
}

/**
 * Yields the rows of an archive of more than 4 GiB that contains only the lower 32 bits of its positions and sizes, as
 * programs of macOS write it. The members are in the order of their positions, and each of them begins with a signature.
 */
async function* unwrappedRows(
  source: PackedSource,
  directory: ZipDirectory,
  rows: AsyncIterable<OpenRow>,
): AsyncGenerator<ZipRow, void> {
  let previous: ZipRow | null = null
  for await (const { offset, ...row } of rows) {
    const least: number = previous === null ? 0 : previous.start + previous.packedBytes
    const start = await startOf(source, offset + directory.shift, { least, end: directory.start })
    if (previous !== null) yield upTo(previous, start)
    previous = { ...row, start }
  }
  if (previous !== null) yield upTo(previous, directory.start)
}

/** Returns the first position with the same lower 32 bits where a member begins. */
async function startOf(
  source: PackedSource,
  lowest: number,
  { least, end }: { readonly least: number; readonly end: number },
): Promise<number> {
  for (let start = lowest; start < end; start += wrap)
    if (start >= least && (await signatureAt(source, start)) === zipSignature.local) return start
  return lowest
}

/** Completes the sizes of a member that reaches up to a position. Its size before it was packed is then an estimate. */
function upTo(row: ZipRow, end: number): ZipRow {
  const lost = Math.floor((end - row.start - row.packedBytes) / wrap) * wrap
  if (!(lost > 0)) return row
  const packedBytes = row.packedBytes + lost
  const missing = Math.max(0, Math.ceil((packedBytes - row.sizeBytes) / wrap)) * wrap
  const sizeBytes = row.method === 0 ? packedBytes : row.sizeBytes + missing
  return { ...row, packedBytes, sizeBytes, isSizeExact: row.method === 0 }
}

type OpenRow = Omit<ZipRow, 'start'> & { readonly offset: number }

/** Reads the next row. Returns null where other bytes than a row follow. */
async function nextRow(cursor: ByteCursor): Promise<OpenRow | null> {
  const head = Buffer.from(await cursor.read(rowBytes))
  if (head.length < 4 || head.readUInt32LE() !== zipSignature.row) return null
  if (head.length < rowBytes) throw new AppError('cut-off')
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((at) => head.readUInt16LE(at))
  const name = await readAll(cursor, nameBytes ?? 0)
  const extras = parseExtras(await readAll(cursor, extraBytes ?? 0))
  await cursor.skipTo(cursor.position() + (commentBytes ?? 0))
  const wide = wideNumbers(extras.get(extraField.zip64))
  // The order of the numbers in the extra field is that of these calls.
  const sizeBytes = wide(head.readUInt32LE(24))
  const packedBytes = wide(head.readUInt32LE(20))
  const offset = wide(head.readUInt32LE(42))
  const flags = head.readUInt16LE(8)
  const unicodeName = unicodeNameOf(extras.get(extraField.unicodeName), name)
  const system = head.readUInt8(5)
  return {
    name: unicodeName ?? name,
    isUtf8: unicodeName !== null || (flags & 0x800) !== 0,
    system,
    flags,
    method: head.readUInt16LE(10),
    crc: head.readUInt32LE(16),
    packedBytes,
    sizeBytes,
    isSizeExact: true,
    unixMode: [unixSystem, macSystem].includes(system) ? head.readUInt16LE(40) : 0,
    modifiedMs: timeOf(extras) ?? localTimeOf(head.readUInt16LE(14), head.readUInt16LE(12)),
    offset,
  }
}

/** Values of *version made by*. Their archives contain the type and the mode of a file in Unix form. */
const [unixSystem, macSystem] = [3, 19]

async function readAll(cursor: ByteCursor, count: number): Promise<Buffer> {
  const bytes = await cursor.read(count)
  if (bytes.length < count) throw new AppError('cut-off')
  return bytes
}

/** Divides the extra fields by their identifiers. Bytes that are no field are ignored, as other programs do. */
function parseExtras(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const extras = new Map<number, Buffer>()
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = bytes.readUInt16LE(at + 2)
    if (at + 4 + length > bytes.length) break
    extras.set(bytes.readUInt16LE(at), bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return extras
}

/** Returns a function that replaces the largest number of 32 bits by the next number of the extra field. */
function wideNumbers(extra: Buffer = Buffer.alloc(0)): (narrow: number) => number {
  let at = 0
  return (narrow) => {
    if (narrow !== largest32 || at + 8 > extra.length) return narrow
    at += 8
    return numberAt(extra, at - 8)
  }
}

/** Returns the name of the extra field, which counts only when its checksum is that of the plain name. */
function unicodeNameOf(extra: Buffer | undefined, name: Buffer): Buffer | null {
  if (extra === undefined || extra.length < 5 || extra[0] !== 1) return null
  return extra.readUInt32LE(1) === crc32(name) ? extra.subarray(5) : null
}

/** Returns the time of an extra field of Unix in seconds or of NTFS in units of 100 ns since 1601. */
function timeOf(extras: ReadonlyMap<number, Buffer>): number | null {
  const unix = extras.get(extraField.unixTime)
  if (unix !== undefined && unix.length >= 5 && ((unix[0] ?? 0) & 1) !== 0) return unix.readInt32LE(1) * 1000
  const ntfs = extras.get(extraField.ntfs)
  if (ntfs === undefined || ntfs.length < 16 || ntfs.readUInt16LE(4) !== 1) return null
  return Number(ntfs.readBigInt64LE(8) / 10_000n) - 11_644_473_600_000
}

/** Returns a time of MS-DOS, which is local time. A date without a day or a month is unknown. */
function localTimeOf(date: number, time: number): number | null {
  const [day, month] = [date & 31, (date >> 5) & 15]
  if (day === 0 || month === 0) return null
  return new Date(1980 + (date >> 9), month - 1, day, time >> 11, (time >> 5) & 63, (time & 31) * 2).getTime()
}
