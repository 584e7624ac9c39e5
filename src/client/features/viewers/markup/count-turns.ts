/**
 * The largest number of times that a text changes its direction. The time to lay out a paragraph grows with the square of
 * this number: 0.2 s for 10,000. A book in Arabic with a Latin word in each line has some thousand.
 */
export const maxTurns = 20_000

const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u202b\u202e\u2067]/u

/** Returns how often a text changes between words that are read from the left and from the right. */
export function countTurns(text: string): number {
  if (!rightToLeft.test(text)) return 0
  let count = 0
  let isRight = false
  for (const character of text.matchAll(/[\p{L}\p{N}\u202a-\u202e\u2066-\u2069]/gu)) {
    const turns = rightToLeft.test(character[0]) !== isRight
    if (turns) isRight = !isRight
    if (turns) count += 1
  }
  return count
}
