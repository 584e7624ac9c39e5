/** A message between the server and a converter process: a JSON value and a binary body. */
export type MessageFrame = { readonly head: unknown; readonly body: Buffer }

/** The maximum size in bytes of a frame. A frame header with a larger size means that the stream is corrupt. */
const maxFrameBytes = 1024 * 1024 * 1024
/** The size in bytes of the two length fields at the start of a frame. */
const prefixBytes = 8

/**
 * Returns the part of a frame before the body: the lengths of head and body as 32-bit big-endian numbers, then the head
 * as JSON.
 */
export function frameStart(head: unknown, bodyBytes: number): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32BE(text.length, 0)
  prefix.writeUInt32BE(bodyBytes, 4)
  return Buffer.concat([prefix, text])
}

/** Yields each frame of a stream when it is complete. A body is copied once, directly into its final buffer. */
export async function* framesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<MessageFrame, void> {
  const read = createByteReader(stream)
  for (;;) {
    const prefix = await read(prefixBytes)
    if (prefix === null) return
    const [headBytes, bodyBytes] = [prefix.readUInt32BE(0), prefix.readUInt32BE(4)]
    if (headBytes + bodyBytes > maxFrameBytes) throw new Error('a frame is longer than allowed')
    const text = await read(headBytes)
    const body = text === null ? null : await read(bodyBytes)
    if (text === null || body === null) throw new Error('the stream ended within a frame')
    yield { head: JSON.parse(text.toString()), body }
  }
}

/**
 * Creates a function that reads exactly the given number of bytes from a stream, or returns null when the stream ends
 * earlier.
 */
function createByteReader(stream: AsyncIterable<Uint8Array>): (bytes: number) => Promise<Buffer | null> {
  const chunks = stream[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  return async (bytes) => {
    const result = Buffer.allocUnsafeSlow(bytes)
    let filled = 0
    while (filled < bytes) {
      if (rest.length === 0) {
        const next = await chunks.next()
        if (next.done === true) return null
        rest = next.value
      }
      const part = rest.subarray(0, bytes - filled)
      result.set(part, filled)
      filled += part.length
      rest = rest.subarray(part.length)
    }
    return result
  }
}
