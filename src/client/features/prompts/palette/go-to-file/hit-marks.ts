import { createAbbreviationMatch, isAbbreviation } from '../../../../../shared/domain/abbreviation.ts'
import { foldName } from '../../../../../shared/domain/fold-name.ts'
import { parseNameQuery } from '../../../../../shared/domain/name-query.ts'
import { nameOf, parentOf, root, type Path } from '../../../../../shared/domain/path.ts'
import { matchingRanges, type TextRange } from '../../../../listing/rows/name-match.ts'
import { positionInText } from '../../../../ui/direction/text-of-names.ts'
import { visibleName } from '../../../../ui/visible-name.ts'

/** The parts of the texts of a hit that match what the user has typed. */
export type HitMarks = { readonly name: readonly TextRange[]; readonly folder: readonly TextRange[] }

/**
 * Returns the function that finds the matching parts of a path as it is displayed: those that contain what was typed, or else
 * its letters.
 */
export function createHitMarks(text: string): (path: Path) => HitMarks {
  const query = parseNameQuery(text, { ignoresAccents: true })
  const match = isAbbreviation(query) ? createAbbreviationMatch(query) : () => null
  return (path) => {
    const parent = parentOf(path)
    const folder = parent === root ? '' : visibleName(parent.slice(1))
    const name = visibleName(nameOf(path))
    const whole = folder === '' ? name : `${folder}/${name}`
    const folded = foldName(whole)
    const letters = query.terms.every((term) => folded.includes(term)) ? null : match(whole)
    const start = whole.length - name.length
    return letters === null
      ? { name: matchingRanges(name, query), folder: rangesInText(folder, matchingRanges(folder, query)) }
      : {
          name: rangesWithin(letters.ranges, { start, end: whole.length }),
          folder: rangesInText(folder, rangesWithin(letters.ranges, { start: 0, end: folder.length })),
        }
  }
}

/** Returns the ranges of a folder, whose names slashes join, in its displayed text. */
const rangesInText = (folder: string, ranges: readonly TextRange[]): readonly TextRange[] =>
  ranges.map(({ start, end }) => ({
    start: positionInText(folder, start),
    end: positionInText(folder, end),
  }))

/** Returns the ranges inside a part of a text, relative to the start of the part. */
const rangesWithin = (ranges: readonly TextRange[], part: TextRange): readonly TextRange[] =>
  ranges
    .map(({ start, end }) => ({
      start: Math.max(start, part.start) - part.start,
      end: Math.min(end, part.end) - part.start,
    }))
    .filter(({ start, end }) => start < end)
