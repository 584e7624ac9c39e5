/**
 * The largest number of times that a text changes its direction. The time to lay out a paragraph grows with the square of
 * this number: 0.2 s for 10,000. A book in Arabic with a Latin word in each line has some thousand.
 */
const maxTurns = 20_000

const rightToLeft =
  /[\u200f\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u202b\u202e\u2067]/u

/** Returns how often a text changes between words that are read from the left and from the right. */
function countTurns(text: string): number {
  if (!rightToLeft.test(text)) return 0
  let count = 0
  let isRight = false
  for (const character of text.matchAll(/[\p{L}\p{N}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu)) {
    const turns = rightToLeft.test(character[0]) !== isRight
    if (turns) isRight = !isRight
    if (turns) count += 1
  }
  return count
}

/**
 * The largest number of marks that are drawn in the place of the marks before them. The time to draw them grows with the square
 * of their number: 46 s for 100,000. Scripts that pile marks have fewer than eight for a letter.
 */
const maxPiledMarks = 10_000

/** The number of marks that a letter may have, and more marks in a row than that. */
const usualMarks = 8
const piledMarks = /\p{M}{9,}/gu

/** Returns true for a text that browsers lay out slowly because of its directions or its marks. */
export function isSlowText(text: string): boolean {
  if (countTurns(text) > maxTurns) return true
  let count = 0
  for (const [marks] of text.matchAll(piledMarks)) count += marks.length - usualMarks
  return count > maxPiledMarks
}
