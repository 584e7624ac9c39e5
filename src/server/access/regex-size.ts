type Group = { steps: number; last: number }

/** What stands in an expression for one thing each: what is quoted, an escape, a class, a bracket, a count, or a character. */
const pieces =
  /\\Q[^]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[pP]?[^]|\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|\(\?[a-zA-Z-]+\)|\((?:\?[^:)>]*[:>])?|\)|\{(\d+),?(\d*)\}|[^]/g

/**
 * How many steps a regular expression has when its counted repetitions are written out, about: `(ab{3}){2}` has those of `abbbabbb`.
 * They are what it costs to compile it, to keep it, and to look for it in a character. Told by its text alone, since what compiles it
 * writes them out.
 */
export function regexSize(raw: string): number {
  const outermost: Group = { steps: 0, last: 0 }
  const open: Group[] = []
  let group = outermost
  for (const [piece, least, most] of raw.matchAll(pieces)) {
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

/** Nothing is repeated more than a thousand times: that is no expression. */
const timesOf = (least: number, most: number): number => Math.min(1001, Math.max(1, least, most))

const sizeOf = ({ steps, last }: Group): number => steps + last

function add(group: Group, steps: number): void {
  group.steps += group.last
  group.last = steps
}
