/** Returns `length` bytes of a file from `start` on, or null when the file does not contain all of them. */
export type ByteReader = (start: number, length: number) => Promise<Buffer | null>

/** The values of one directory of a TIFF file by their tags. Only short lists of whole numbers are read. */
export type TiffDirectory = ReadonlyMap<number, readonly number[]>

/** The bounds of a file that is read. Real camera RAW files have up to ten directories of up to 100 entries. */
const maxDirectories = 32
const maxEntries = 512
const maxValues = 16

/** The tag of the list of further directories, which contain the full image and its previews. */
const subDirectoriesTag = 0x014a

/** The sizes in bytes of the types of whole numbers: byte, short, long, undefined and the offset of a directory. */
const typeBytes: Readonly<Record<number, 1 | 2 | 4>> = { 1: 1, 3: 2, 4: 4, 7: 1, 13: 4 }

/**
 * Reads the directories of a TIFF file: the chain of directories and their subdirectories. A directory that several
 * others name is read once, so a loop ends. Returns an empty list when the file is not a TIFF file.
 */
export async function readTiffDirectories(read: ByteReader): Promise<readonly TiffDirectory[]> {
  const header = await read(0, 8)
  const order = header === null ? null : byteOrderOf(header)
  if (header === null || order === null) return []
  const directories: TiffDirectory[] = []
  const offsets = new Set([order.long(header, 4)])
  // A set can grow while it is iterated, and visits each offset once.
  for (const offset of offsets) {
    const found = await readDirectory(read, order, offset)
    if (found === null) continue
    directories.push(found.directory)
    const further = [...(found.directory.get(subDirectoriesTag) ?? []), found.next]
    for (const next of further) if (next > 0 && offsets.size < maxDirectories) offsets.add(next)
  }
  return directories
}

type ByteOrder = {
  readonly short: (bytes: Buffer, at: number) => number
  readonly long: (bytes: Buffer, at: number) => number
}

const littleEndian: ByteOrder = {
  short: (bytes, at) => bytes.readUInt16LE(at),
  long: (bytes, at) => bytes.readUInt32LE(at),
}
const bigEndian: ByteOrder = {
  short: (bytes, at) => bytes.readUInt16BE(at),
  long: (bytes, at) => bytes.readUInt32BE(at),
}

/** The number 42 marks a TIFF file, and 0x55 a file of Panasonic (rw2). */
function byteOrderOf(header: Buffer): ByteOrder | null {
  const order = { II: littleEndian, MM: bigEndian }[header.toString('latin1', 0, 2)]
  return order !== undefined && [42, 0x55].includes(order.short(header, 2)) ? order : null
}

async function readDirectory(
  read: ByteReader,
  order: ByteOrder,
  offset: number,
): Promise<{ readonly directory: TiffDirectory; readonly next: number } | null> {
  const count = await read(offset, 2)
  const entries = count === null ? 0 : order.short(count, 0)
  if (entries === 0 || entries > maxEntries) return null
  const bytes = await read(offset + 2, entries * 12)
  if (bytes === null) return null
  const directory = new Map<number, readonly number[]>()
  for (let at = 0; at < bytes.length; at += 12) {
    const values = await readValues(read, order, bytes.subarray(at, at + 12))
    if (values !== null) directory.set(order.short(bytes, at), values)
  }
  const next = await read(offset + 2 + entries * 12, 4)
  return { directory, next: next === null ? 0 : order.long(next, 0) }
}

/** Reads the values of an entry. Null when it contains no whole numbers, or too many. */
async function readValues(
  read: ByteReader,
  order: ByteOrder,
  entry: Buffer,
): Promise<readonly number[] | null> {
  const size = typeBytes[order.short(entry, 2)]
  const count = order.long(entry, 4)
  if (size === undefined || count === 0) return null
  // The JPEG of a file of Panasonic is the value of an entry. Its position and length are kept.
  if (size === 1 && count > maxValues) return [order.long(entry, 8), count]
  if (count > maxValues) return null
  const bytes = size * count <= 4 ? entry.subarray(8) : await read(order.long(entry, 8), size * count)
  if (bytes === null) return null
  return Array.from({ length: count }, (_, at) => {
    if (size === 1) return bytes.readUInt8(at)
    return size === 2 ? order.short(bytes, at * 2) : order.long(bytes, at * 4)
  })
}
