import { commandLimits } from './command-limits.ts'
import { createPlainText } from './plain-text.ts'

/** An output as lines of text, without their ends. */
export type OutputLines = {
  take(bytes: Uint8Array): readonly string[]
  /** What stands behind the last line end. */
  end(): readonly string[]
}

/** Lines of plain text: what is no UTF-8 is replaced, control sequences are taken out, long lines come in pieces (contract 12.1). */
export function createOutputLines(mostLineBytes = commandLimits.lineBytes): OutputLines {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const piece = new Uint8Array(mostLineBytes)
  const encoder = new TextEncoder()
  const plain = createPlainText()
  let rest = ''

  /** Pieces are cut between characters. */
  function pieces(line: string): string[] {
    const cut: string[] = []
    let left = line
    while (left.length * 3 > mostLineBytes) {
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
    take: (bytes) => lines(decoder.decode(bytes, { stream: true })),
    end() {
      const last = lines(decoder.decode())
      return rest === '' ? last : [...last, rest]
    },
  }
}
