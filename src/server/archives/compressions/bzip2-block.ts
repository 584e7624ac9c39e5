import type BZip2 from 'bzip2-wasm'

/** Blocks of 900 kB, as `bzip2 -9`. */
const level = 9

/** A block as a whole bzip2 stream. */
export async function bzip2Block(block: Uint8Array): Promise<Uint8Array> {
  const { default: Loaded } = await import('bzip2-wasm')
  const bzip2 = (loaded ??= new Loaded())
  await bzip2.init()
  return bzip2.compress(block, level, mostPackedBytes(block.length))
}

let loaded: InstanceType<typeof BZip2> | undefined

/** What cannot be compressed grows by no more than this (the library's documentation). */
const mostPackedBytes = (sizeBytes: number): number => Math.ceil(sizeBytes * 1.01) + 600
