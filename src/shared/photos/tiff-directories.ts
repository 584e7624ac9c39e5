import type { Bytes, ReadPart } from './read-part.ts'
import { DamagedImageError, UnreadableImageError } from './unreadable-image.ts'

/**
 * A file with the structure of TIFF: TIFF itself, most RAW files of cameras, and the EXIF block of other formats. It
 * consists of directories, and a directory consists of fields with numbers as names (TIFF 6.0, section 2).
 */
export type TiffFile = {
  readonly read: ReadPart
  readonly isLittleEndian: boolean
  /** True for BigTIFF, which has offsets of eight bytes. */
  readonly isBig: boolean
  /** The offset of the first directory, in bytes. */
  readonly firstDirectory: number
}

/** A field of a directory. Short values are in the directory itself. Others begin at the byte `at` of the file. */
export type TiffField = {
  readonly type: number
  readonly count: number
  readonly at: number
  readonly inline: Bytes | null
}

export type TiffDirectory = {
  readonly fields: ReadonlyMap<number, TiffField>
  /** The offset of the next directory in bytes, or 0 after the last one. */
  readonly next: number
}

/** The fields that are used here, by their names in the specifications of TIFF, EXIF and DNG. */
export const tags = {
  jpegFromRaw: 0x2e,
  subfileType: 254,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  make: 271,
  model: 272,
  stripOffsets: 273,
  orientation: 274,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  faxOptions: 292,
  predictor: 317,
  colourMap: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  subDirectories: 330,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  jpegOffset: 0x201,
  jpegLength: 0x202,
  exifDirectory: 0x8769,
  gpsDirectory: 0x8825,
} as const

/** Bytes of a value, by the type of its field. */
const valueBytes: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
}

/** The numbers after the byte order: TIFF, BigTIFF, and the variants of Panasonic (RW2) and Olympus (ORF). */
const formatNumbers = [42, 43, 0x55, 0x4f52, 0x5352]

/** Maximum number of fields in a directory. Cameras write fewer than 100. */
const maxFields = 2000

/** Maximum size of a text, in bytes. */
const maxTextBytes = 1000

/**
 * Opens a file with the structure of TIFF.
 * @throws UnreadableImageError for other files.
 */
export async function openTiff(read: ReadPart): Promise<TiffFile> {
  const head = await read(0, 16)
  const isLittleEndian = head[0] === 0x49 && head[1] === 0x49
  const isBigEndian = head[0] === 0x4d && head[1] === 0x4d
  if (head.length < 8 || !(isLittleEndian || isBigEndian)) throw new UnreadableImageError('it is no TIFF')
  const view = viewOf(head)
  const format = view.getUint16(2, isLittleEndian)
  const isBig = format === 43
  if (!formatNumbers.includes(format) || (isBig && head.length < 16))
    throw new UnreadableImageError('it is no TIFF')
  const firstDirectory = isBig ? offsetAt(view, 8, isLittleEndian) : view.getUint32(4, isLittleEndian)
  return { read, isLittleEndian, isBig, firstDirectory }
}

/**
 * Reads the directory that begins at a byte of the file.
 * @throws UnreadableImageError when the file ends before the directory does.
 */
export async function readTiffDirectory({ read, ...file }: TiffFile, at: number): Promise<TiffDirectory> {
  const { isLittleEndian, isBig } = file
  const [countBytes, fieldBytes, nextBytes] = isBig ? [8, 20, 8] : [2, 12, 4]
  const head = await readExactly(read, at, countBytes)
  const count = isBig ? offsetAt(head, 0, isLittleEndian) : head.getUint16(0, isLittleEndian)
  if (count === 0 || count > maxFields) throw new DamagedImageError('a directory is damaged')
  const bytes = await read(at + countBytes, count * fieldBytes + nextBytes)
  const view = viewOf(bytes)
  if (bytes.length < count * fieldBytes) throw new DamagedImageError('a directory is cut off')
  const readOffset = (from: number): number =>
    isBig ? offsetAt(view, from, isLittleEndian) : view.getUint32(from, isLittleEndian)
  const fields = new Map<number, TiffField>()
  for (let index = 0; index < count; index += 1) {
    const start = index * fieldBytes
    const type = view.getUint16(start + 2, isLittleEndian)
    const values = isBig
      ? offsetAt(view, start + 4, isLittleEndian)
      : view.getUint32(start + 4, isLittleEndian)
    const inlineAt = start + fieldBytes - nextBytes
    const isInline = values * (valueBytes[type] ?? Infinity) <= nextBytes
    const inline = isInline ? bytes.slice(inlineAt, inlineAt + nextBytes) : null
    const valuesAt = isInline ? 0 : readOffset(inlineAt)
    fields.set(view.getUint16(start, isLittleEndian), { type, count: values, at: valuesAt, inline })
  }
  const nextAt = count * fieldBytes
  const hasNext = bytes.length >= nextAt + nextBytes
  const next = !hasNext
    ? 0
    : isBig
      ? offsetAt(view, nextAt, isLittleEndian)
      : view.getUint32(nextAt, isLittleEndian)
  return { fields, next }
}

/**
 * Reads the directories of a chain, which begins at the given byte. A chain that leads back to itself or out of the file
 * ends there.
 * @throws UnreadableImageError when the first directory cannot be read.
 */
export async function* readChain(
  file: TiffFile,
  start: number,
  maxCount: number,
): AsyncGenerator<TiffDirectory, void, void> {
  const seen = new Set<number>()
  for (let at = start; at !== 0 && !seen.has(at) && seen.size < maxCount;) {
    const directory = await readTiffDirectory(file, at).catch((error: unknown) => {
      if (error instanceof UnreadableImageError && seen.size > 0) return null
      throw error
    })
    if (directory === null) return
    seen.add(at)
    yield directory
    at = directory.next
  }
}

/**
 * Returns the numbers in a field, or an empty list when the directory does not have the field. A fraction becomes a
 * number, which is not finite when the fraction has the denominator 0.
 * @throws UnreadableImageError for more numbers than the maximum, for texts, and when the file ends before them.
 */
export async function numbersIn(
  file: TiffFile,
  field: TiffField | undefined,
  maxCount: number,
): Promise<readonly number[]> {
  if (field === undefined) return []
  const { type, count, at, inline } = field
  const size = valueBytes[type]
  if (size === undefined || type === 2 || count > maxCount)
    throw new DamagedImageError('a field has other values than expected')
  const view = inline === null ? await readExactly(file.read, at, count * size) : viewOf(inline)
  return Array.from({ length: count }, (_, index) => numberAt(view, index * size, { type, ...file }))
}

/** Returns the first number of a field, or undefined when the directory does not have the field. */
export const numberIn = async (file: TiffFile, field: TiffField | undefined): Promise<number | undefined> =>
  field === undefined
    ? undefined
    : (await numbersIn(file, { ...field, count: Math.min(1, field.count) }, 1))[0]

/** Returns the text of a field up to its first NUL, or null when it is empty or the directory does not have the field. */
export async function textIn({ read }: TiffFile, field: TiffField | undefined): Promise<string | null> {
  if (field === undefined || field.type !== 2) return null
  const length = Math.min(maxTextBytes, field.count)
  const bytes = field.inline?.slice(0, length) ?? (await read(field.at, length))
  const [text = ''] = decodeText(bytes).split('\0')
  return text.trim() === '' ? null : text.trim()
}

/** Decodes a text, which is ASCII by the specification. Some programs write UTF-8, and older ones the Latin alphabet. */
function decodeText(bytes: Bytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const viewOf = (bytes: Bytes): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

async function readExactly(read: ReadPart, at: number, length: number): Promise<DataView> {
  const bytes = await read(at, length)
  if (bytes.length < length) throw new DamagedImageError('the file is cut off')
  return viewOf(bytes)
}

function offsetAt(view: DataView, at: number, isLittleEndian: boolean): number {
  const offset = Number(view.getBigUint64(at, isLittleEndian))
  if (!Number.isSafeInteger(offset)) throw new DamagedImageError('an offset is outside of the file')
  return offset
}

type NumberFormat = { readonly type: number; readonly isLittleEndian: boolean }

function numberAt(view: DataView, at: number, { type, isLittleEndian }: NumberFormat): number {
  switch (type) {
    case 3:
      return view.getUint16(at, isLittleEndian)
    case 4:
    case 13:
      return view.getUint32(at, isLittleEndian)
    case 5:
      return view.getUint32(at, isLittleEndian) / view.getUint32(at + 4, isLittleEndian)
    case 6:
      return view.getInt8(at)
    case 8:
      return view.getInt16(at, isLittleEndian)
    case 9:
      return view.getInt32(at, isLittleEndian)
    case 10:
      return view.getInt32(at, isLittleEndian) / view.getInt32(at + 4, isLittleEndian)
    case 11:
      return view.getFloat32(at, isLittleEndian)
    case 12:
      return view.getFloat64(at, isLittleEndian)
    case 16:
    case 18:
      return offsetAt(view, at, isLittleEndian)
    case 17:
      return Number(view.getBigInt64(at, isLittleEndian))
    default:
      return view.getUint8(at)
  }
}
