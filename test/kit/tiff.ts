/** Numbers of a field are written with four bytes, or as the given type. A text and bytes have types of their own. */
type TiffValue =
  | readonly number[]
  | string
  | Buffer
  | { readonly type: 'short' | 'rational'; readonly values: readonly number[] }

/** A directory of a file with the structure of TIFF. */
export type TiffContent = {
  readonly fields?: Readonly<Record<number, TiffValue>>
  /** The pixels, or a JPEG that is stored in their place. */
  readonly strips?: readonly Buffer[]
  /** A JPEG with fields of its own. */
  readonly jpeg?: Buffer
  /** Directories to which fields of this one lead. */
  readonly below?: Readonly<Record<number, readonly TiffContent[]>>
}

type TiffOptions = {
  readonly isBigEndian?: boolean
  /** The directory that follows the last one, so that the chain has no end. */
  readonly loopsTo?: number
  /** The bytes after the byte order, which differ in some formats of cameras. */
  readonly format?: number
}

const fieldTypes = { short: 3, rational: 5 } as const

/** Creates a file with the structure of TIFF: TIFF itself, an EXIF block, or a RAW file of a camera. */
export function makeTiff(directories: readonly TiffContent[], options: TiffOptions = {}): Buffer {
  const { isBigEndian = false, loopsTo, format = 42 } = options
  const parts: Buffer[] = [Buffer.alloc(8)]
  let length = 8
  const number = (value: number, bytes: 2 | 4): Buffer => {
    const buffer = Buffer.alloc(bytes)
    if (isBigEndian) buffer.writeUIntBE(value, 0, bytes)
    else buffer.writeUIntLE(value, 0, bytes)
    return buffer
  }
  const append = (bytes: Buffer): number => {
    const at = length
    const padded = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)])
    parts.push(padded)
    length += padded.length
    return at
  }
  const encode = (value: TiffValue): { type: number; count: number; bytes: Buffer } => {
    if (typeof value === 'string') {
      const bytes = Buffer.from(`${value}\0`)
      return { type: 2, count: bytes.length, bytes }
    }
    if (Buffer.isBuffer(value)) return { type: 7, count: value.length, bytes: value }
    if (!('type' in value))
      return { type: 4, count: value.length, bytes: Buffer.concat(value.map((one) => number(one, 4))) }
    const isShort = value.type === 'short'
    const written = value.values.flatMap((one) =>
      isShort ? [number(one, 2)] : [number(Math.round(one * 10_000), 4), number(10_000, 4)],
    )
    return { type: fieldTypes[value.type], count: value.values.length, bytes: Buffer.concat(written) }
  }
  const writeDirectory = ({ fields, strips, jpeg, below }: TiffContent, next: number): number => {
    const all: Record<number, TiffValue> = { ...fields }
    if (strips) {
      all[273] = strips.map(append)
      all[279] = strips.map((strip) => strip.length)
    }
    if (jpeg) {
      all[0x201] = [append(jpeg)]
      all[0x202] = [jpeg.length]
    }
    for (const [tag, children] of Object.entries(below ?? {}))
      all[Number(tag)] = children.map((child) => writeDirectory(child, 0))
    const entries = Object.entries(all).map(([tag, value]) => {
      const { type, count, bytes } = encode(value)
      const inline =
        bytes.length <= 4 ? Buffer.concat([bytes, Buffer.alloc(4 - bytes.length)]) : number(append(bytes), 4)
      return Buffer.concat([number(Number(tag), 2), number(type, 2), number(count, 4), inline])
    })
    return append(Buffer.concat([number(entries.length, 2), ...entries, number(next, 4)]))
  }
  const offsets: number[] = []
  let next = 0
  for (const [index, directory] of directories.toReversed().entries()) {
    next = writeDirectory(directory, next)
    offsets[directories.length - 1 - index] = next
  }
  const file = Buffer.concat(parts)
  file.write(isBigEndian ? 'MM' : 'II', 'latin1')
  number(format, 2).copy(file, 2)
  number(next, 4).copy(file, 4)
  if (loopsTo !== undefined) loop(file, { from: offsets.at(-1) ?? 0, to: offsets[loopsTo] ?? 0, isBigEndian })
  return file
}

/** Makes a directory lead to an earlier one. */
function loop(
  file: Buffer,
  { from, to, isBigEndian }: { from: number; to: number; isBigEndian: boolean },
): void {
  const count = isBigEndian ? file.readUInt16BE(from) : file.readUInt16LE(from)
  const at = from + 2 + count * 12
  if (isBigEndian) file.writeUInt32BE(to, at)
  else file.writeUInt32LE(to, at)
}
