import { ZipError } from './zip-error.ts'

/** The largest number of entries of an archive. Books and comics have less than 2000. */
const maxEntries = 20_000

/** The largest central directory, in bytes: 400 for each of the entries. */
export const maxDirectoryBytes = 8_000_000

/** Entries with longer names are left out, in bytes. File systems allow 255 for each folder on the way. */
const maxNameBytes = 1024

/** The number of bytes at the end of a file that contain the end record, with the longest comment after it. */
export const tailBytes = 20 + 22 + 0xffff

/** The size of the end record of an archive in the format ZIP64. It is in front of its locator. */
export const zip64RecordBytes = 56

/** The location of the central directory. All offsets are positions in the file. */
export type DirectoryPlace = {
  readonly start: number
  readonly bytes: number
  /** The number of bytes in front of the archive, which the offsets in the archive do not count. */
  readonly shift: number
  /** True when the archive contains positions of 64 bits. Otherwise, it contains only the lower 32 bits of them. */
  readonly is64: boolean
}

/** A file in an archive. */
export type ZipEntry = {
  readonly name: string
  readonly method: number
  readonly isEncrypted: boolean
  readonly storedBytes: number
  readonly sizeBytes: number
  /** The position of the entry in the file, where its own header begins. */
  readonly start: number
  /** The position at which the next entry or the directory begins. The entry ends before this position. */
  readonly end: number
}

/**
 * Finds the end record in the last bytes of a file. For archives in the format ZIP64, returns the position of the
 * larger record, which `placeFromZip64` reads.
 * @throws ZipError when the file is not a ZIP archive.
 */
export function findDirectory(
  tail: DataView,
  fileBytes: number,
): DirectoryPlace | { readonly zip64RecordStart: number } {
  const tailStart = fileBytes - tail.byteLength
  for (let at = tail.byteLength - 22; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== 0x0605_4b50 || at + 22 + tail.getUint16(at + 20, true) > tail.byteLength)
      continue
    const bytes = tail.getUint32(at + 12, true)
    const offset = tail.getUint32(at + 16, true)
    const locator = at - 20
    if (locator >= 0 && tail.getUint32(locator, true) === 0x0706_4b50)
      return { zip64RecordStart: tailStart + locator - zip64RecordBytes }
    return placeOf({ recordStart: tailStart + at, bytes, offset, is64: false })
  }
  throw new ZipError('damaged')
}

/** Reads the larger end record of an archive in the format ZIP64, which is at the given position. */
export function placeFromZip64(record: DataView, recordStart: number): DirectoryPlace {
  if (record.getUint32(0, true) !== 0x0606_4b50) throw new ZipError('damaged')
  return placeOf({ recordStart, bytes: uint64(record, 40), offset: uint64(record, 48), is64: true })
}

const wrap = 2 ** 32

type EndRecord = Pick<DirectoryPlace, 'bytes' | 'is64'> & {
  readonly recordStart: number
  readonly offset: number
}

/** The directory ends where the end record begins, so that a different offset tells how many bytes precede the archive. */
function placeOf({ recordStart, bytes, offset, is64 }: EndRecord): DirectoryPlace {
  const start = recordStart - bytes
  if (bytes > maxDirectoryBytes) throw new ZipError('too-large')
  if (start < 0 || offset > start) throw new ZipError('damaged')
  // A difference of whole 4 GiB comes from an offset that has lost its upper bits.
  const shift = is64 ? start - offset : (start - offset) % wrap
  return { start, bytes, shift, is64 }
}

/**
 * Reads the entries of the central directory, without folders. Of several entries with the same name, the last one counts.
 * @throws ZipError when the directory is damaged or has too many entries.
 */
export function readDirectory(directory: DataView, place: DirectoryPlace): readonly ZipEntry[] {
  const entries: Omit<ZipEntry, 'end'>[] = []
  let least = 0
  for (let at = 0; at + 46 <= directory.byteLength;) {
    if (directory.getUint32(at, true) !== 0x0201_4b50) throw new ZipError('damaged')
    if (entries.length === maxEntries) throw new ZipError('too-large')
    const nameBytes = directory.getUint16(at + 28, true)
    const extraBytes = directory.getUint16(at + 30, true)
    const next = at + 46 + nameBytes + extraBytes + directory.getUint16(at + 32, true)
    if (next > directory.byteLength) throw new ZipError('damaged')
    const { storedBytes, sizeBytes, offset } = sizesOf(directory, { at, nameBytes, extraBytes })
    const flags = directory.getUint16(at + 8, true)
    const start = startOf(offset, least, place)
    least = start + storedBytes
    entries.push({
      name: nameBytes > maxNameBytes ? '' : nameOf(directory, at, nameBytes),
      method: directory.getUint16(at + 10, true),
      isEncrypted: (flags & 1) !== 0,
      storedBytes,
      sizeBytes,
      start,
    })
    at = next
  }
  const starts = [...entries.map((entry) => entry.start), place.start].toSorted((a, b) => a - b)
  const endAfter = new Map(starts.map((from, index) => [from, starts[index + 1] ?? from]))
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return [...byName.values()]
    .filter(({ name }) => name !== '' && !name.endsWith('/'))
    .map((entry) => ({ ...entry, end: endAfter.get(entry.start) ?? entry.start }))
}

/**
 * Returns the position of an entry. Archives of more than 4 GiB by macOS contain only the lower 32 bits of positions. Their
 * entries are in the order of their positions, so that a position before the previous entry has lost its upper bits.
 */
function startOf(
  offset: number,
  least: number,
  { start: directoryStart, shift, is64 }: DirectoryPlace,
): number {
  let start = offset + shift
  if (is64) return start
  while (start < least && start + wrap < directoryStart) start += wrap
  return start
}

type EntryPlace = { readonly at: number; readonly nameBytes: number; readonly extraBytes: number }

/** Reads the sizes and the offset of an entry. Values that do not fit 32 bits are in an extra field. */
function sizesOf(directory: DataView, { at, nameBytes, extraBytes }: EntryPlace) {
  const end = at + 46 + nameBytes + extraBytes
  let wide = 0
  for (let field = at + 46 + nameBytes; field + 4 <= end && wide === 0;) {
    if (directory.getUint16(field, true) === 1) wide = field + 4
    field += 4 + directory.getUint16(field + 2, true)
  }
  const read = (from: number): number => {
    const narrow = directory.getUint32(from, true)
    if (narrow !== 0xffff_ffff || wide === 0) return narrow
    if (wide + 8 > end) throw new ZipError('damaged')
    wide += 8
    return uint64(directory, wide - 8)
  }
  // The order of the fields in the extra field is that of these calls.
  const sizeBytes = read(at + 24)
  const storedBytes = read(at + 20)
  return { sizeBytes, storedBytes, offset: read(at + 42) }
}

/** Returns the name of an entry. Programs of MS-DOS and Windows write backslashes between names. */
function nameOf(directory: DataView, at: number, nameBytes: number): string {
  const bytes = new Uint8Array(directory.buffer, directory.byteOffset + at + 46, nameBytes)
  const name = decodeName(bytes)
  return dosSystems.has(directory.getUint8(at + 5)) ? name.replaceAll('\\', '/') : name
}

/** The systems whose programs write backslashes between names: MS-DOS, OS/2, Windows NTFS and VFAT. */
const dosSystems: ReadonlySet<number> = new Set([0, 6, 10, 14])

/**
 * Decodes a name. In old archives, the encoding of names is unknown. Windows-1252 has a character for each byte, so that
 * different names stay different.
 */
function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function uint64(view: DataView, at: number): number {
  const value = Number(view.getBigUint64(at, true))
  if (!Number.isSafeInteger(value)) throw new ZipError('damaged')
  return value
}
