/** One message between the server and a process that converts: a few words, and bytes. */
export type Frame = { readonly head: unknown; readonly body: Buffer }

/** No frame is longer; whoever announces more is out of step. */
const mostFrameBytes = 1024 * 1024 * 1024
const prefixBytes = 8

/** The beginning of a frame, before its body: both lengths as 32-bit numbers, then the head as JSON. */
export function frameStart(head: unknown, bodyBytes: number): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32BE(text.length, 0)
  prefix.writeUInt32BE(bodyBytes, 4)
  return Buffer.concat([prefix, text])
}

/** The frames of a stream, each when it has come whole. A body is kept once: it is written into the memory that it ends in. */
export async function* framesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  const take = takerOf(stream)
  for (;;) {
    const prefix = await take(prefixBytes)
    if (prefix === null) return
    const [headBytes, bodyBytes] = [prefix.readUInt32BE(0), prefix.readUInt32BE(4)]
    if (headBytes + bodyBytes > mostFrameBytes) throw new Error('a frame is longer than any frame')
    const text = await take(headBytes)
    const body = text === null ? null : await take(bodyBytes)
    if (text === null || body === null) throw new Error('the stream ended within a frame')
    yield { head: JSON.parse(text.toString()), body }
  }
}

/** Takes exactly so many bytes off a stream; null where it has ended before. */
function takerOf(stream: AsyncIterable<Uint8Array>): (bytes: number) => Promise<Buffer | null> {
  const chunks = stream[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  return async (bytes) => {
    const taken = Buffer.allocUnsafeSlow(bytes)
    let filled = 0
    while (filled < bytes) {
      if (rest.length === 0) {
        const next = await chunks.next()
        if (next.done === true) return null
        rest = next.value
      }
      const part = rest.subarray(0, bytes - filled)
      taken.set(part, filled)
      filled += part.length
      rest = rest.subarray(part.length)
    }
    return taken
  }
}
