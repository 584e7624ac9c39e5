/** Takes the bytes of newline-delimited JSON as they come, cut anywhere, and gives the value of each finished line. */
export type LineReader = {
  /** The values of the lines that these bytes complete. Throws a SyntaxError where a line is no JSON. */
  readonly push: (bytes: Uint8Array) => Generator
  /** The value of a last line without a line feed. */
  readonly end: () => Generator
}

const lineFeed = 10

export function createLineReader(): LineReader {
  const waiting: Uint8Array[] = []
  return {
    *push(bytes) {
      let start = 0
      for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, start)) {
        waiting.push(bytes.subarray(start, at))
        start = at + 1
        yield* valueOf(waiting.splice(0))
      }
      if (start < bytes.length) waiting.push(bytes.slice(start))
    },
    *end() {
      yield* valueOf(waiting.splice(0))
    },
  }
}

function* valueOf(pieces: readonly Uint8Array[]): Generator {
  const decoder = new TextDecoder()
  const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode()
  if (text.trim() !== '') yield JSON.parse(text)
}
