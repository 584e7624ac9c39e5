/** The length of a piece, in characters: a few screens. Browsers need seconds to lay out a line of a million characters. */
const pieceLength = 10_000

/** Splits a text into pieces of whole lines. A line that is longer than a piece is split into several pieces. */
export function piecesOfText(text: string): readonly string[] {
  const pieces: string[] = []
  let start = 0
  while (start < text.length) {
    const limit = start + pieceLength
    const newline = limit < text.length ? text.lastIndexOf('\n', limit - 1) : -1
    const end = newline >= start ? newline + 1 : wholeCharacterEnd(text, limit)
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/** Returns an index at or before a limit that is not inside of a surrogate pair. */
const wholeCharacterEnd = (text: string, limit: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit
