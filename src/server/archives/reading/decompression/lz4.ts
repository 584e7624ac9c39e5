import { AppError } from '../../../../shared/domain/failure.ts'
import { type ByteBuffer, createByteBuffer } from './byte-buffer.ts'
import { createXxHash32 } from './checksums.ts'
import type { Lz4Block } from '../../compressions/lz4-block.ts'

/** Decompresses a block, usually in a thread. Throws `undecodable` for a damaged one. */
export type Lz4BlockUnpacker = (block: Lz4Block) => Promise<Uint8Array>

const frameMagic = 0x184d2204
/** Frames with these numbers in their upper 28 bits contain no data. */
const skippableMagic = 0x184d2a5

/** A frame of the legacy format has blocks of 8 MiB, without flags, a checksum or a mark at its end. */
const legacyMagic = 0x184c2102
const legacyBlockBytes = 8 * 1024 * 1024

/** A block that depends on the blocks before it refers to at most this many bytes before its start. */
const historyBytes = 64 * 1024

/** The flags in the header of a frame. */
const flag = {
  independent: 0x20,
  blockChecksum: 0x10,
  contentSize: 0x08,
  contentChecksum: 0x04,
  dictionary: 0x01,
}

/**
 * Decompresses the frames of an LZ4 file block by block. A block has at most 4 MiB, or 8 MiB in the legacy format. The checksum of a frame is compared, and
 * those of its blocks are not, because programs rarely write them.
 */
export async function* lz4Decompress(
  chunks: AsyncIterable<Uint8Array>,
  unpack: Lz4BlockUnpacker,
): AsyncGenerator<Uint8Array, void> {
  const buffer = createByteBuffer(chunks)
  try {
    while (await buffer.has(1)) {
      const magic = (await take(buffer, 4)).readUInt32LE()
      if (magic === frameMagic) yield* readFrame(buffer, unpack)
      else if (magic === legacyMagic) yield* readLegacyFrame(buffer, unpack)
      else if (magic >>> 4 === skippableMagic) await skip(buffer, (await take(buffer, 4)).readUInt32LE())
      else throw damaged()
    }
  } finally {
    await buffer.close()
  }
}

async function* readFrame(buffer: ByteBuffer, unpack: Lz4BlockUnpacker): AsyncGenerator<Uint8Array, void> {
  const [flags = 0, sizes = 0] = await take(buffer, 2)
  const sizeCode = (sizes >> 4) & 7
  if (flags >> 6 !== 1 || (flags & flag.dictionary) !== 0 || sizeCode < 4) throw damaged()
  await take(buffer, (flags & flag.contentSize ? 8 : 0) + 1)
  const maxBytes = 1 << (8 + 2 * sizeCode)
  const checksum = createXxHash32()
  let history = Buffer.alloc(0)
  for (;;) {
    const field = (await take(buffer, 4)).readUInt32LE()
    if (field === 0) break
    const length = field & 0x7fff_ffff
    if (length > maxBytes) throw damaged()
    const packed = await take(buffer, length)
    if (flags & flag.blockChecksum) await take(buffer, 4)
    const isStored = field >>> 31 === 1
    const bytes = isStored
      ? packed
      : // A byte of a block expands to at most 255 bytes, so that small blocks need little memory.
        await unpack({ packed, history, maxBytes: Math.min(maxBytes, length * 255 + 64) })
    if (flags & flag.contentChecksum) checksum.add(bytes)
    yield bytes
    // The copy has nothing but these bytes, because a thread gets the whole memory behind a part of it.
    if (!(flags & flag.independent))
      history = Buffer.from(Buffer.concat([history, bytes]).subarray(-historyBytes))
  }
  if (flags & flag.contentChecksum && (await take(buffer, 4)).readUInt32LE() !== checksum.value())
    throw damaged()
}

/** Reads blocks until the file ends or another frame begins. */
async function* readLegacyFrame(
  buffer: ByteBuffer,
  unpack: Lz4BlockUnpacker,
): AsyncGenerator<Uint8Array, void> {
  while (await buffer.has(1)) {
    if (!(await buffer.has(4))) throw new AppError('cut-off')
    const length = buffer.bytes().readUInt32LE()
    if (length === frameMagic || length === legacyMagic || length >>> 4 === skippableMagic) return
    // A block that cannot be compressed is longer than its content.
    if (length > legacyBlockBytes + legacyBlockBytes / 255 + 16) throw damaged()
    buffer.drop(4)
    const packed = await take(buffer, length)
    const maxBytes = Math.min(legacyBlockBytes, length * 255 + 64)
    yield await unpack({ packed, history: Buffer.alloc(0), maxBytes })
  }
}

/** Returns a copy of the next bytes. */
async function take(buffer: ByteBuffer, count: number): Promise<Buffer> {
  if (!(await buffer.has(count))) throw new AppError('cut-off')
  const taken = Buffer.from(buffer.bytes().subarray(0, count))
  buffer.drop(count)
  return taken
}

async function skip(buffer: ByteBuffer, count: number): Promise<void> {
  let left = count
  while (left > 0) {
    if (!(await buffer.has(1))) throw new AppError('cut-off')
    const part = Math.min(left, buffer.bytes().length)
    buffer.drop(part)
    left -= part
  }
}

const damaged = (): AppError => new AppError('undecodable', { reason: 'the LZ4 data is damaged' })
