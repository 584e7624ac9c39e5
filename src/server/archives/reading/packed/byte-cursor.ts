import { AppError } from '../../../../shared/domain/failure.ts'

/** A position in a sequence of bytes that is read from its start to its end. */
export type ByteCursor = {
  /** The number of bytes that have been read or skipped. */
  readonly position: () => number
  /** Reads the next bytes. Returns fewer at the end. The result is valid until the next call. */
  readonly read: (count: number) => Promise<Buffer>
  /** Returns bytes that have just been read, so that they are read again. */
  readonly unread: (bytes: Uint8Array) => void
  /** Yields the bytes up to a position. Each chunk is valid until the next one is requested. */
  readonly bytesUntil: (end: number) => AsyncGenerator<Uint8Array, void>
  /** Moves to a position. Throws `cut-off` when the bytes end before it. */
  readonly skipTo: (end: number) => Promise<void>
  readonly close: () => Promise<void>
}

export function createByteCursor(chunks: AsyncIterable<Uint8Array>): ByteCursor {
  const iterator = chunks[Symbol.asyncIterator]()
  let chunk: Uint8Array = new Uint8Array()
  /** The number of bytes of the chunk that have been taken. */
  let used = 0
  let position = 0

  /** Takes at most `count` bytes from the next chunk. The result is empty at the end. */
  async function take(count: number): Promise<Uint8Array> {
    while (used >= chunk.length) {
      const next = await iterator.next()
      if (next.done === true) return new Uint8Array()
      chunk = next.value
      used = 0
    }
    const taken = chunk.subarray(used, used + count)
    used += taken.length
    position += taken.length
    return taken
  }

  async function* bytesUntil(end: number): AsyncGenerator<Uint8Array, void> {
    while (position < end) {
      const taken = await take(end - position)
      if (taken.length === 0) throw new AppError('cut-off')
      yield taken
    }
  }

  return {
    position: () => position,
    async read(count) {
      const parts: Buffer[] = []
      for (let left = count; left > 0;) {
        const taken = await take(left)
        if (taken.length === 0) break
        parts.push(Buffer.from(taken))
        left -= taken.length
      }
      return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    },
    unread(bytes) {
      chunk = Buffer.concat([bytes, chunk.subarray(used)])
      used = 0
      position -= bytes.length
    },
    bytesUntil,
    async skipTo(end) {
      while (position < end) if ((await take(end - position)).length === 0) throw new AppError('cut-off')
    },
    close: async () => void (await iterator.return?.()),
  }
}
