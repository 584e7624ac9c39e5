import { commandLimits } from './command-limits.ts'
import { createPlainText } from '../programs/plain-text.ts'

/** Splits the output of a program into lines without line breaks. */
export type LineSplitter = {
  /** Adds bytes and returns the lines that they complete. */
  push(bytes: Uint8Array): readonly string[]
  /**
   * Returns the text after the last line break as a list of lines. The list is empty when there is no such text, and
   * has several lines when the text is too long for one line.
   */
  flush(): readonly string[]
}

/**
 * Creates a splitter that returns lines of plain text. Invalid UTF-8 is replaced, control sequences are removed, and a
 * line of more than `maxLineBytes` bytes is split into several lines (contract 12.1).
 */
export function createLineSplitter(maxLineBytes = commandLimits.lineBytes): LineSplitter {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const buffer = new Uint8Array(maxLineBytes)
  const encoder = new TextEncoder()
  const plain = createPlainText()
  let rest = ''

  /**
   * Splits a line that is too long into several lines, without splitting a character, and returns them. The last part
   * is kept as the beginning of the current line.
   */
  function splitLongLine(line: string): string[] {
    const completeLines: string[] = []
    let remaining = line
    while (remaining.length * 3 > maxLineBytes) {
      const { read } = encoder.encodeInto(remaining, buffer)
      if (read === remaining.length) break
      completeLines.push(remaining.slice(0, read))
      remaining = remaining.slice(read)
    }
    rest = remaining
    return completeLines
  }

  function addText(text: string): readonly string[] {
    const [first = '', ...others] = plain(text).split('\n')
    const out: string[] = []
    let line = rest + first
    for (const other of others) {
      out.push(...splitLongLine(line), rest)
      line = other
    }
    out.push(...splitLongLine(line))
    return out
  }

  return {
    push: (bytes) => addText(decoder.decode(bytes, { stream: true })),
    flush() {
      const last = addText(decoder.decode())
      return rest === '' ? last : [...last, rest]
    },
  }
}
