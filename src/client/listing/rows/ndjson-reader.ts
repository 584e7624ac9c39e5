/** Splits bytes of newline-delimited JSON, which may be cut anywhere, into the values of its lines. */
export type NdjsonReader = {
  /** Yields the values of the lines that these bytes complete. Throws a SyntaxError for a line that is not JSON. */
  readonly push: (bytes: Uint8Array) => Generator
  /** Yields the value of a last line without a line feed. */
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
