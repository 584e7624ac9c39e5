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
export function packer(withInos: boolean) {
  let bytes = Buffer.allocUnsafeSlow(64 * 1024)
  let starts = new Uint32Array(1024)
  let kinds = new Uint8Array(1024)
  let inos = new Float64Array(withInos ? 1024 : 0)
  let count = 0
  let length = 0

  function grow(): void {
    starts = copyInto(new Uint32Array(starts.length * 2), starts)
    kinds = copyInto(new Uint8Array(kinds.length * 2), kinds)
    if (withInos) inos = copyInto(new Float64Array(inos.length * 2), inos)
  }

  return {
    /** Adds the name that starts at `from` in `source` and ends before `end`; `.` and `..` are left out. */
    add(source: Uint8Array, { from, end, kind, ino }: PackedEntry): void {
      const size = end - from
      if (isDots(source, from, size)) return
      if (count + 1 >= starts.length) grow()
      if (length + size + 1 > bytes.length) bytes = copyInto(Buffer.allocUnsafeSlow(bytes.length * 2), bytes)
      for (let at = 0; at < size; at += 1) bytes[length + at] = source[from + at] ?? 0
      bytes[length + size] = 0
      starts[count] = length
      kinds[count] = kind
      if (withInos) inos[count] = ino
      length += size + 1
      count += 1
    },
    finish(): PackedNames {
      starts[count] = length
      return { count, bytes, starts, kinds, inos: withInos ? inos : null }
    },
  }
}

export type PackedEntry = {
  readonly from: number
  readonly end: number
  readonly kind: number
  readonly ino: number
}

const dot = 46
const isDots = (source: Uint8Array, from: number, size: number): boolean =>
  size <= 2 && source[from] === dot && (size === 1 || source[from + 1] === dot)

function copyInto<T extends { set(from: T): void }>(to: T, from: T): T {
  to.set(from)
  return to
}
