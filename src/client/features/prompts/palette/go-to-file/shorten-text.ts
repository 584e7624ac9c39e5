import type { TextRange } from '../../../../listing/rows/name-match.ts'
import { segmenter } from '../../../../ui/visible-name.ts'

export type ShortenOptions = {
  /** The parts that matched what the user has typed. They stay in the text. */
  readonly marks: readonly TextRange[]
  /** The number of UTF-16 units at the end that stay as long as there is room for them. */
  readonly endLength: number
  /** The side that gets the rest of the room. */
  readonly keeps: 'start' | 'end'
  /** Returns true when the parts have room on the line, with an ellipsis in place of each part that is left out. */
  readonly fits: (parts: readonly TextRange[]) => boolean
}

/** The number of characters around a mark that stay before others do, so that the mark is read as a part of a name. */
const contextLength = 3

/**
 * Returns the parts of a text that have room on one line. The marked parts stay, then the end, then the surroundings of
 * the marks, and then as much of the start or of the end as there is room for.
 */
export function shortenText(text: string, options: ShortenOptions): readonly TextRange[] {
  const whole = [{ start: 0, end: text.length }]
  if (options.fits(whole)) return whole
  const characters = Array.from(segmenter.segment(text), ({ index, segment }) => ({
    start: index,
    end: index + segment.length,
  }))
  const order = orderOf(characters, options)
  const isMarked = characters.map((character) => options.marks.some((mark) => doOverlap(mark, character)))
  const partsWith = (count: number): readonly TextRange[] => {
    const kept = [...isMarked]
    for (const at of order.slice(0, count)) kept[at] = true
    return joined(characters.filter((_, at) => kept[at]))
  }
  // Binary search for the number of further characters that have room.
  let [fitting, tooMany] = [0, order.length]
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1
    if (options.fits(partsWith(middle))) fitting = middle
    else tooMany = middle
  }
  return partsWith(fitting)
}

/** Returns the indexes of the characters in the order in which they get room. */
function orderOf(characters: readonly TextRange[], { marks, endLength, keeps }: ShortenOptions): number[] {
  const length = characters.at(-1)?.end ?? 0
  const indexes = characters.map((_, at) => at)
  const isAt = (at: number, isWanted: (character: TextRange) => boolean): boolean => {
    const character = characters[at]
    return character !== undefined && isWanted(character)
  }
  const end = indexes.filter((at) => isAt(at, (character) => character.start >= length - endLength))
  const near = indexes.filter((at) =>
    isAt(at, (character) =>
      marks.some(({ start, end: markEnd }) =>
        doOverlap({ start: start - contextLength, end: markEnd + contextLength }, character),
      ),
    ),
  )
  const rest = keeps === 'start' ? indexes : indexes.toReversed()
  return [...new Set([...end.toReversed(), ...near, ...rest])]
}

const doOverlap = (a: TextRange, b: TextRange): boolean => a.start < b.end && b.start < a.end

/** Joins parts that follow each other directly. */
function joined(parts: readonly TextRange[]): readonly TextRange[] {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of parts) {
    const last = result.at(-1)
    if (last?.end === start) last.end = end
    else result.push({ start, end })
  }
  return result
}
