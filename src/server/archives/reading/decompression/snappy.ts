import { AppError } from '../../../../shared/domain/failure.ts'
import { loadSnappy } from '../../compressions/native-packages.ts'
import { createByteBuffer } from './byte-buffer.ts'
import { maskedCrc32c } from './checksums.ts'

/** The kinds of chunks in the Snappy framing format. Kinds from 0x80 on may be skipped, and others may not. */
const kinds = { compressed: 0, stored: 1, identifier: 0xff, firstSkippable: 0x80 } as const
const identifier = 'sNaPpY'
/** A chunk has at most this many bytes after it is decompressed. */
const maxChunkBytes = 65_536
/** A chunk has at most this many bytes while it is compressed, and a checksum before its data. */
const maxPackedBytes = 76_490 + 4
const checksumBytes = 4
const headBytes = 4

/**
 * Decompresses a file in the Snappy framing format chunk by chunk. The library's own decoder of whole files keeps up to
 * everything that it has decompressed in memory, so that only its decoder of single chunks is used.
 */
export async function* snappyDecompress(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const buffer = createByteBuffer(chunks)
  try {
    let isFirst = true
    while (await buffer.has(1)) {
      if (!(await buffer.has(headBytes))) throw new AppError('cut-off')
      const kind = buffer.bytes()[0] ?? 0
      const length = buffer.bytes().readUIntLE(1, 3)
      if (isFirst && kind !== kinds.identifier) throw damaged()
      if (!(await buffer.has(headBytes + length))) throw new AppError('cut-off')
      const body = Buffer.from(buffer.bytes().subarray(headBytes, headBytes + length))
      buffer.drop(headBytes + length)
      isFirst = false
      if (kind === kinds.identifier && body.toString('latin1') !== identifier) throw damaged()
      if (kind >= kinds.firstSkippable) continue
      yield await contentOf(kind, body)
    }
    if (isFirst) throw damaged()
  } finally {
    await buffer.close()
  }
}

/** Returns the content of a chunk of data. Throws `undecodable` when its checksum does not match. */
async function contentOf(kind: number, body: Buffer): Promise<Buffer> {
  const { uncompress } = await loadSnappy()
  const data = body.subarray(checksumBytes)
  const isTooLarge =
    body.length > maxPackedBytes || (kind === kinds.compressed && sizeOf(data) > maxChunkBytes)
  if (kind > kinds.stored || body.length < checksumBytes || isTooLarge) throw damaged()
  const content = kind === kinds.stored ? data : ((await uncompress(data).catch(asDamaged)) as Buffer)
  if (maskedCrc32c(content) !== body.readUInt32LE()) throw damaged()
  return content
}

/** Reads the size after decompression, with which compressed data begins: seven bits in each byte, the lowest first. */
function sizeOf(data: Buffer): number {
  let size = 0
  for (let index = 0; index < 5; index += 1) {
    const byte = data[index] ?? 0
    size += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return size
  }
  throw damaged()
}

function asDamaged(cause: unknown): never {
  throw damaged(cause)
}

const damaged = (cause?: unknown): AppError =>
  new AppError('undecodable', { reason: 'the Snappy data is damaged', cause })
