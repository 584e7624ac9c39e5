import { nameOfBytes } from '../../../../shared/domain/name-bytes.ts'

/** The names of a folder as the kernel gives them: bytes, each name followed by a NUL. A million strings would cost too much. */
export type PackedNames = {
  readonly count: number
  readonly bytes: Buffer
  /** Where each name starts; one more than there are names. */
  readonly starts: Uint32Array
  /** `d_type` of each (0 where it is unknown). */
  readonly kinds: Uint8Array
  /** Inode numbers, rounded; null where they would cost a call each. */
  readonly inos: Float64Array | null
}

/** `d_type` values (readdir(3)). */
export const entryKind = { unknown: 0, folder: 4, file: 8, link: 10 } as const

/** The string of one name. */
export function nameAt(names: PackedNames, index: number): string {
  const bytes = names.bytes.subarray(names.starts[index], (names.starts[index + 1] ?? 1) - 1)
  return nameOfBytes(bytes)
}

/** The strings of names packed one after the other, each followed by a NUL. */
export function unpackNames(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return []
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const names = textOf(buffer)?.split('\0') ?? namesOneByOne(buffer)
  names.pop()
  return names
}

/** All names as one text, a NUL after each; null where one is not UTF-8. */
export const textOfNames = ({ bytes, starts, count }: PackedNames): string | null =>
  textOf(bytes.subarray(0, starts[count]))

/** Null where some name is not UTF-8: then each must be decoded for itself. */
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

/** Collects names while a folder is read. */
export type Packer = {
  bytes: Buffer
  starts: Uint32Array
  kinds: Uint8Array
  readonly inos: { all: Float64Array } | null
  count: number
  length: number
}

export const createPacker = (withInos: boolean): Packer => ({
  bytes: sharedBytes(64 * 1024),
  starts: sharedWords(1024),
  kinds: new Uint8Array(1024),
  inos: withInos ? { all: new Float64Array(1024) } : null,
  count: 0,
  length: 0,
})

/** Names lie in memory that threads share, so that two can look at a large folder. */
const sharedBytes = (size: number): Buffer => Buffer.from(new SharedArrayBuffer(size))
export const sharedWords = (size: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(size * 4))

/** Its memory is used again: what was packed before is gone. */
export function empty(packer: Packer): void {
  packer.count = 0
  packer.length = 0
}

/** Makes room for this many names of this many bytes in all, a NUL after each. */
export function reserve(packer: Packer, names: number, bytes: number): void {
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

export function finish({ count, bytes, starts, kinds, inos, length }: Packer): PackedNames {
  starts[count] = length
  return { count, bytes, starts, kinds, inos: inos?.all ?? null }
}

function copyInto<T extends { set(from: T): void }>(to: T, from: T): T {
  to.set(from)
  return to
}
