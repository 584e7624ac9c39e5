/** Parses newline-delimited JSON that arrives in chunks of bytes. A chunk may end anywhere, even inside a character. */
export type NdjsonReader = {
  /**
   * Adds a chunk and yields the value of each line that it completes. Throws a SyntaxError for a line that is not JSON.
   */
  readonly push: (bytes: Uint8Array) => Generator
  /** Yields the value of the last line when no line feed follows it. */
  readonly end: () => Generator
}

const lineFeed = 10

export function createNdjsonReader(): NdjsonReader {
  const pending: Uint8Array[] = []
  return {
    *push(bytes) {
      let start = 0
      for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, start)) {
        pending.push(bytes.subarray(start, at))
        start = at + 1
        yield* valueOf(pending.splice(0))
      }
      if (start < bytes.length) pending.push(bytes.slice(start))
    },
    *end() {
      yield* valueOf(pending.splice(0))
    },
  }
}

function* valueOf(pieces: readonly Uint8Array[]): Generator {
  const decoder = new TextDecoder()
  const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode()
  if (text.trim() !== '') yield JSON.parse(text)
}

/**
 * Yields the bytes of a response as they arrive. Cancels the response when the caller stops reading before its end. A
 * response that was read to its end is not cancelled, because some browsers report its request as aborted otherwise.
 */
export async function* bytesOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  let isComplete = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      isComplete = done
      if (done) return
      yield value
    }
  } finally {
    if (!isComplete) await reader.cancel().catch(() => undefined)
  }
}
