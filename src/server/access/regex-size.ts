type RegexGroup = { steps: number; last: number }

/**
 * Splits an expression into its tokens: quoted text, an escape, a character class, a bracket, a repetition count, or a
 * single character.
 */
const tokenPattern =
  /\\Q[^]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[pP]?[^]|\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|\(\?[a-zA-Z-]+\)|\((?:\?[^:)>]*[:>])?|\)|\{(\d+),?(\d*)\}|[^]/g

/**
 * Returns approximately how many steps a regular expression has when its counted repetitions are written out:
 * `(ab{3}){2}` has the steps of `abbbabbb`. The steps determine the cost to compile the expression, to keep it and to
 * search for it. They are counted from the text alone, because compiling the expression would write the repetitions
 * out.
 */
export function regexSize(raw: string): number {
  const outermost: RegexGroup = { steps: 0, last: 0 }
  const open: RegexGroup[] = []
  let group = outermost
  for (const [piece, least, most] of raw.matchAll(tokenPattern)) {
    if (piece.startsWith('(') && !piece.endsWith(')')) {
      open.push(group)
      group = { steps: 0, last: 0 }
    } else if (piece === ')') {
      const inner = sizeOf(group) + 1
      group = open.pop() ?? outermost
      add(group, inner)
    } else if (least !== undefined) group.last *= timesOf(Number(least), Number(most))
    else add(group, piece.startsWith(String.raw`\Q`) ? piece.length : 1)
  }
  return open.reduce((steps, outer) => steps + sizeOf(outer), sizeOf(group))
}

/**
 * Returns how often a repetition is written out. RE2 refuses counts above 1000 as a syntax error, so larger counts are
 * limited to 1001.
 */
const timesOf = (least: number, most: number): number => Math.min(1001, Math.max(1, least, most))

const sizeOf = ({ steps, last }: RegexGroup): number => steps + last

function add(group: RegexGroup, steps: number): void {
  group.steps += group.last
  group.last = steps
}
