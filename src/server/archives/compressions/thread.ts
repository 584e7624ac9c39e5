import type BZip2 from 'bzip2-wasm'
import { AppError } from '../../../shared/domain/failure.ts'
import { type MainThreadLink, serve } from '../../workers/serve.ts'
import type { SignaturesOf } from '../../workers/task-signatures.ts'
import type { ThreadPool } from '../../workers/thread-pool.ts'
import { loadSnappy } from './native-packages.ts'
import { type Lz4Block, unpackLz4Block } from './lz4-block.ts'

/** bzip2 level 9, as in `bzip2 -9`: blocks of 900 kB. */
const bzip2Level = 9

let bzip2Instance: InstanceType<typeof BZip2> | undefined

/** Compresses a block to a complete bzip2 stream. */
async function bzip2Block(block: Uint8Array): Promise<Uint8Array> {
  const { default: BZip2Codec } = await import('bzip2-wasm')
  const bzip2 = (bzip2Instance ??= new BZip2Codec())
  await bzip2.init()
  return bzip2.compress(block, bzip2Level, maxPackedBytes(block.length))
}

/**
 * Returns the maximum size in bytes of a compressed block. According to the library's documentation, incompressible
 * input grows by at most 1 % and 600 bytes.
 */
const maxPackedBytes = (sizeBytes: number): number => Math.ceil(sizeBytes * 1.01) + 600

/** Compresses a block to a complete stream in the Snappy framing format. */
async function snappyBlock(block: Uint8Array): Promise<Uint8Array> {
  const { Compressor } = await loadSnappy()
  const compressor = new Compressor()
  const first = compressor.update(block)
  return Buffer.concat([first, await compressor.finish()])
}

/** The buffers for a decompressed block, in bytes. The second one holds what a block of 900,000 bytes can expand to. */
const unpackedBytes = [1_000_000, 47_000_000]
const isTooSmall = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('OUTBUFF_FULL')

/** Decompresses a bzip2 stream with one block. Most blocks fit into the small buffer. Throws `undecodable`. */
async function bunzip2Block(stream: Uint8Array): Promise<Uint8Array> {
  const { default: BZip2Codec } = await import('bzip2-wasm')
  const bzip2 = (bzip2Instance ??= new BZip2Codec())
  await bzip2.init()
  let failure: unknown
  for (const maxBytes of unpackedBytes) {
    try {
      return bzip2.decompress(stream, maxBytes)
    } catch (error) {
      failure = error
      if (!isTooSmall(error)) break
    }
  }
  throw new AppError('undecodable', { reason: 'the bzip2 data is damaged', cause: failure })
}

function unpackLz4(block: Lz4Block, { transferWithResult }: MainThreadLink): Uint8Array {
  const bytes = unpackLz4Block(block)
  transferWithResult(bytes.buffer)
  return bytes
}

const tasks = { bzip2: bzip2Block, bunzip2: bunzip2Block, snappy: snappyBlock, unlz4: unpackLz4 }

export type CompressionTasks = SignaturesOf<typeof tasks>
/** The threads that compress and decompress blocks. */
export type CompressionThreads = ThreadPool<CompressionTasks>

serve(tasks)
