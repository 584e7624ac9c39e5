/** A block as a whole stream in the framing format of Snappy. */
export async function snappyBlock(block: Uint8Array): Promise<Uint8Array> {
  const { Compressor } = await import('snappy')
  const compressor = new Compressor()
  const first = compressor.update(block)
  return Buffer.concat([first, await compressor.finish()])
}
