import { AppError } from '../../../../shared/domain/failure.ts'
import { type ByteBuffer, createByteBuffer } from './byte-buffer.ts'

/** The bits with which a block and the end of a stream begin, as hexadecimal digits: 48 bits at any position. */
const blockMark = 0x314159265359n
const endMark = 0x177245385090n
const markBits = 48
const checksumBits = 32
const streamHeaderBytes = 4

/**
 * The largest compressed block in bytes. A block has at most 900,000 bytes before it is compressed, and those that cannot be
 * compressed grow by about 1 %.
 */
const maxBlockBytes = 1_000_000

/**
 * Splits a bzip2 file into its blocks and yields each one as a bzip2 stream of its own. Blocks begin at any bit, so that
 * their bits are shifted. The decoder of the library reads whole streams only, and a stream may have any length.
 */
export async function* bzip2Blocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  const buffer = createByteBuffer(chunks)
  try {
    let hasStream = false
    while (await buffer.has(1)) {
      if (!(await buffer.has(streamHeaderBytes))) throw new AppError('cut-off')
      const level = /^BZh([1-9])$/.exec(buffer.bytes().toString('latin1', 0, streamHeaderBytes))?.[1]
      // Other programs ignore bytes after the last stream, too.
      if (level === undefined && hasStream) return
      if (level === undefined) throw damaged()
      buffer.drop(streamHeaderBytes)
      hasStream = true
      yield* blocksOfStream(buffer, level)
    }
    if (!hasStream) throw damaged()
  } finally {
    await buffer.close()
  }
}

async function* blocksOfStream(buffer: ByteBuffer, level: string): AsyncGenerator<Buffer, void> {
  let startBit = 0
  for (;;) {
    if (!(await buffer.has(Math.ceil((startBit + markBits + checksumBits) / 8))))
      throw new AppError('cut-off')
    const mark = bitsAt(buffer.bytes(), startBit, markBits)
    if (mark === endMark) return buffer.drop(Math.ceil((startBit + markBits + checksumBits) / 8))
    if (mark !== blockMark) throw damaged()
    const endBit = await nextMark(buffer, startBit + markBits)
    yield streamOfBlock(buffer.bytes(), { startBit, endBit, level })
    buffer.drop(Math.floor(endBit / 8))
    startBit = endBit % 8
  }
}

/** Returns the position of the next mark at or after a bit. */
async function nextMark(buffer: ByteBuffer, fromBit: number): Promise<number> {
  let from = Math.floor(fromBit / 8)
  while (from <= maxBlockBytes) {
    const bytes = buffer.bytes()
    // A mark covers at most seven bytes. It is only recognized when all of them are in memory.
    const end = Math.max(from, bytes.length - 7)
    for (; from < end; from += 1) {
      const bit = markInByte(bytes, from)
      if (bit >= fromBit) return bit
    }
    // The checksum of the stream follows its last mark, so that a complete file always has these bytes.
    if (!(await buffer.more())) throw new AppError('cut-off')
  }
  throw damaged()
}

/** Returns the position of the last mark that begins in a byte, or -1. */
function markInByte(bytes: Buffer, index: number): number {
  const offsets = offsetsBySecondByte[bytes[index + 1] ?? 0] ?? 0
  if (offsets === 0) return -1
  for (let offset = 7; offset >= 0; offset -= 1) {
    if ((offsets & (1 << offset)) === 0) continue
    const mark = bitsAt(bytes, index * 8 + offset, markBits)
    if (mark === blockMark || mark === endMark) return index * 8 + offset
  }
  return -1
}

/** For each byte, the offsets in bits at which it can be the second byte of a mark, as bits. It avoids most comparisons. */
const offsetsBySecondByte = Uint8Array.from({ length: 256 }, (_, byte) => {
  let offsets = 0
  for (let offset = 0; offset < 8; offset += 1)
    for (const mark of [blockMark, endMark])
      if (Number((mark >> BigInt(32 + offset)) & 0xffn) === byte) offsets |= 1 << offset
  return offsets
})

function bitsAt(bytes: Buffer, bit: number, count: number): bigint {
  const first = Math.floor(bit / 8)
  const end = Math.ceil((bit + count) / 8)
  let value = 0n
  for (let index = first; index < end; index += 1) value = (value << 8n) | BigInt(bytes[index] ?? 0)
  return (value >> BigInt(end * 8 - bit - count)) & ((1n << BigInt(count)) - 1n)
}

type BlockPlace = { readonly startBit: number; readonly endBit: number; readonly level: string }

/** Returns a stream with this block only. The checksum of a stream with one block is that of the block. */
function streamOfBlock(bytes: Buffer, { startBit, endBit, level }: BlockPlace): Buffer {
  const bits = endBit - startBit
  const checksum = bitsAt(bytes, startBit + markBits, checksumBits)
  const whole = Buffer.alloc(streamHeaderBytes + Math.ceil((bits + markBits + checksumBits) / 8))
  whole.write(`BZh${level}`, 'latin1')
  const first = Math.floor(startBit / 8)
  const shift = startBit % 8
  const blockBytes = Math.ceil(bits / 8)
  for (let index = 0; index < blockBytes; index += 1) {
    const two = ((bytes[first + index] ?? 0) << 8) | (bytes[first + index + 1] ?? 0)
    whole[streamHeaderBytes + index] = (two >> (8 - shift)) & 0xff
  }
  const lastBits = bits % 8
  const last = streamHeaderBytes + blockBytes - 1
  if (lastBits > 0) whole[last] = (whole[last] ?? 0) & (0xff << (8 - lastBits))
  writeBits(whole, streamHeaderBytes * 8 + bits, (endMark << BigInt(checksumBits)) | checksum)
  return whole
}

/** Writes the mark and the checksum at the end of a stream, where all bits are zero. */
function writeBits(bytes: Buffer, bit: number, value: bigint): void {
  const count = markBits + checksumBits
  const end = Math.ceil((bit + count) / 8)
  let rest = value << BigInt(end * 8 - bit - count)
  for (let index = end - 1; rest > 0n; index -= 1) {
    bytes[index] = (bytes[index] ?? 0) | Number(rest & 0xffn)
    rest >>= 8n
  }
}

const damaged = (): AppError => new AppError('undecodable', { reason: 'the bzip2 data is damaged' })
