import type BZip2 from 'bzip2-wasm'
import { serve } from '../../workers/serve.ts'

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
  const { Compressor } = await import('snappy')
  const compressor = new Compressor()
  const first = compressor.update(block)
  return Buffer.concat([first, await compressor.finish()])
}

serve({ bzip2: bzip2Block, snappy: snappyBlock })
