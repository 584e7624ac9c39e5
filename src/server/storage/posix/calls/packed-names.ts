import { nameOfBytes } from '../../../../shared/domain/name-bytes.ts'

/**
 * The names of a folder as the kernel returns them: bytes, each name followed by a NUL. Creating a separate string for
 * each of a million names would need too much time and memory.
 */
export type PackedNames = {
  readonly count: number
  readonly bytes: Buffer
  /** Byte offset at which each name starts. One more value follows the last name: the end of the bytes. */
  readonly starts: Uint32Array
  /** The `d_type` of each entry; 0 means unknown. */
  readonly kinds: Uint8Array
  /** Inode numbers, rounded to a double. Null when reading them would need one system call for each entry. */
  readonly inos: Float64Array | null
}

/** Values of `d_type`, the kind of a folder entry (readdir(3)). */
export const direntType = { unknown: 0, folder: 4, file: 8, link: 10 } as const

/** Returns one name as a string. */
export function nameAt(names: PackedNames, index: number): string {
  const bytes = names.bytes.subarray(names.starts[index], (names.starts[index + 1] ?? 1) - 1)
  return nameOfBytes(bytes)
}

/** Decodes packed names. Each name must be followed by a NUL. */
export function unpackNames(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return []
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const names = textOf(buffer)?.split('\0') ?? namesOneByOne(buffer)
  names.pop()
  return names
}

/** Returns all names as one string with a NUL after each name, or null when a name is not valid UTF-8. */
export const textOfNames = ({ bytes, starts, count }: PackedNames): string | null =>
  textOf(bytes.subarray(0, starts[count]))

/**
 * Decodes bytes as UTF-8. Returns null when a name in them is not valid UTF-8 (or contains U+FFFD). The caller must
 * then decode each name separately.
 */
function textOf(buffer: Buffer): string | null {
  const text = buffer.toString('utf8')
  return text.includes('\uFFFD') ? null : text
}

function namesOneByOne(buffer: Buffer): string[] {
  const names: string[] = []
  let from = 0
  while (from < buffer.length) {
    const end = buffer.indexOf(0, from)
    names.push(nameOfBytes(buffer.subarray(from, end)))
    from = end + 1
  }
  names.push('')
  return names
}

/** Buffers that collect the names of a folder while it is read. They grow when they are full. */
export type NamePacker = {
  bytes: Buffer
  starts: Uint32Array
  kinds: Uint8Array
  readonly inos: { all: Float64Array } | null
  count: number
  length: number
}

/** Creates an empty packer. With `withInos`, the packer also collects inode numbers. */
export const createNamePacker = (withInos: boolean): NamePacker => ({
  bytes: sharedBytes(64 * 1024),
  starts: sharedWords(1024),
  kinds: new Uint8Array(1024),
  inos: withInos ? { all: new Float64Array(1024) } : null,
  count: 0,
  length: 0,
})

/** Allocates memory that threads can share, so that two threads can process the names of a large folder. */
const sharedBytes = (size: number): Buffer => Buffer.from(new SharedArrayBuffer(size))
export const sharedWords = (size: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(size * 4))

/** Empties a packer for reuse. Names that were packed before are overwritten. */
export function clearPacker(packer: NamePacker): void {
  packer.count = 0
  packer.length = 0
}

/**
 * Ensures that the packer has space for `names` more names. `bytes` is their total length, including a NUL after each
 * name.
 */
export function reserveSpace(packer: NamePacker, names: number, bytes: number): void {
  const isFull = packer.count + names + 1 > packer.starts.length
  if (isFull) {
    const size = (packer.count + names + 1) * 2
    packer.starts = copyInto(sharedWords(size), packer.starts)
    packer.kinds = copyInto(new Uint8Array(size), packer.kinds)
    if (packer.inos !== null) packer.inos.all = copyInto(new Float64Array(size), packer.inos.all)
  }
  if (packer.length + bytes > packer.bytes.length) {
    packer.bytes = copyInto(sharedBytes((packer.length + bytes) * 2), packer.bytes)
  }
}

/** Returns the packed names. They share their memory with the packer. */
export function finishPacking({ count, bytes, starts, kinds, inos, length }: NamePacker): PackedNames {
  starts[count] = length
  return { count, bytes, starts, kinds, inos: inos?.all ?? null }
}

function copyInto<T extends { set(from: T): void }>(to: T, from: T): T {
  to.set(from)
  return to
}
