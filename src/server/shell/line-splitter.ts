import { commandLimits } from './command-limits.ts'
import { createPlainText } from './plain-text.ts'

/** Splits an output into lines of text without line breaks. */
export type LineSplitter = {
  /** Adds bytes and returns the lines that they complete. */
  push(bytes: Uint8Array): readonly string[]
  /**
   * Returns the lines of the text after the last line break: none when the text is empty, and several when it is too
   * long for one line.
   */
  flush(): readonly string[]
}

/**
 * Creates a splitter whose lines are plain text: invalid UTF-8 is replaced, control sequences are removed, and a line
 * of more than `maxLineBytes` is split into several (contract 12.1).
 */
export function createLineSplitter(maxLineBytes = commandLimits.lineBytes): LineSplitter {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const piece = new Uint8Array(maxLineBytes)
  const encoder = new TextEncoder()
  const plain = createPlainText()
  let rest = ''

  /**
   * Splits a line that is too long into pieces, without splitting a character. The last piece is kept as the beginning
   * of the current line.
   */
  function pieces(line: string): string[] {
    const cut: string[] = []
    let left = line
    while (left.length * 3 > maxLineBytes) {
      const { read } = encoder.encodeInto(left, piece)
      if (read === left.length) break
      cut.push(left.slice(0, read))
      left = left.slice(read)
    }
    rest = left
    return cut
  }

  function lines(text: string): readonly string[] {
    const [first = '', ...others] = plain(text).split('\n')
    const out: string[] = []
    let line = rest + first
    for (const other of others) {
      out.push(...pieces(line), rest)
      line = other
    }
    out.push(...pieces(line))
    return out
  }

  return {
    push: (bytes) => lines(decoder.decode(bytes, { stream: true })),
    flush() {
      const last = lines(decoder.decode())
      return rest === '' ? last : [...last, rest]
    },
  }
}
