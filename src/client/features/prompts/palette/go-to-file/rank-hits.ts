import {
  type AbbreviationMatch,
  createAbbreviationMatch,
  isAbbreviation,
} from '../../../../../shared/domain/abbreviation.ts'
import { parseNameQuery } from '../../../../../shared/domain/name-query.ts'
import { isWithin, nameOf, namesOf, parentOf, type Path } from '../../../../../shared/domain/path.ts'
import { compareNames } from '../../../../../shared/domain/sorting.ts'
import { foldName } from '../../../../../shared/domain/fold-name.ts'

/**
 * How well a path matches what the user has typed, from the best to the worst. "Words" are the parts of a name that
 * consist of letters only or of digits only. Signs such as `_` and `-` between them count as spaces, and case and
 * accents do not count.
 */
const grades = {
  /** The text is the whole name, with or without its extension. */
  exactName: 0,
  /** The text has the words of the name, with or without those of its extension: `img 4` and `IMG_4.jpg`. */
  sameWords: 1,
  startOfName: 2,
  /** Each part of the text is a word of the name. Numbers are compared by value, so that 4 is 0004 and not 45. */
  wholeWords: 3,
  /** Each part of the text is the start of a word of the name. */
  startsOfWords: 4,
  /** The name has the letters of the text, and each group of them is the start of a word: `ft` and `FileTable.tsx`. */
  firstLettersOfName: 5,
  partsOfName: 6,
  /** Each part of the text is somewhere in the name or in the names of the folders above. */
  partsOfPath: 7,
  /** The path has the letters of the text at the starts of words. */
  firstLettersOfPath: 8,
  /** The name has the letters of the text in their order, also inside of words. */
  lettersOfName: 9,
  /** The path has the letters of the text in their order. */
  lettersOfPath: 10,
  /** The path lacks a part of the text. The server finds names that contain any part of a text. */
  other: 11,
} as const
type Grade = (typeof grades)[keyof typeof grades]

/** The part of a hit by which it is ranked. */
type RankedPath = { readonly path: Path }

/** A grade, and within the grades of letters the cost of the match, where the lower one is better. */
type GradeAndCost = { readonly grade: Grade; readonly cost: number }

type RankedHit<Hit> = GradeAndCost & {
  readonly hit: Hit
  /** 0 for a hit in the open folder, 1 for one below it, and 2 for the others. */
  readonly distance: number
  readonly depth: number
}

export type RankingOptions = {
  /** The maximum number of hits. */
  readonly limit: number
  /** The folder on screen. */
  readonly open: Path
}

/**
 * Returns a function that adds hits of a text and returns the best hits so far, at most `limit`. Hits of the same grade are
 * ordered by their distance from the open folder, then by their depth, and then by their names. Hits that lack a part of the
 * text are left out, and those with letters inside of words are left out as soon as there is a better hit.
 */
export function createHitRanking<Hit extends RankedPath>(
  text: string,
  { limit, open }: RankingOptions,
): (hits: readonly Hit[]) => readonly Hit[] {
  const gradeOf = createGrading(text)
  let ranked: readonly RankedHit<Hit>[] = []
  return (hits) => {
    const added = hits.map((hit) => ({
      hit,
      ...gradeOf(hit.path),
      distance: distanceOf(hit.path, open),
      depth: namesOf(hit.path).length,
    }))
    const fitting = added.filter(({ grade }) => grade !== grades.other)
    const sorted = [...ranked, ...fitting].toSorted(compareRanks)
    const isBestScattered = (sorted[0]?.grade ?? grades.other) >= grades.lettersOfName
    ranked = sorted.filter(({ grade }) => isBestScattered || grade < grades.lettersOfName).slice(0, limit)
    return ranked.map(({ hit }) => hit)
  }
}

function distanceOf(path: Path, open: Path): number {
  if (parentOf(path) === open) return 0
  return isWithin(path, open) ? 1 : 2
}

const compareRanks = (a: RankedHit<RankedPath>, b: RankedHit<RankedPath>): number =>
  a.grade - b.grade ||
  a.cost - b.cost ||
  a.distance - b.distance ||
  a.depth - b.depth ||
  // Without its extension, a name precedes those that go on after it, as in `report.pdf` and `report (2).pdf`.
  compareNames(stemOf(nameOf(a.hit.path)), stemOf(nameOf(b.hit.path))) ||
  compareNames(a.hit.path, b.hit.path)

/** Returns the function that grades a path for a text. */
function createGrading(text: string): (path: Path) => GradeAndCost {
  const query = parseNameQuery(text, { ignoresAccents: true })
  const gradeOfWords = createWordGrading(query.terms.map(foldName))
  const match = isAbbreviation(query) ? createAbbreviationMatch(query) : () => null
  return (path) => {
    const grade = gradeOfWords(path)
    const letters = grade > grades.startsOfWords ? match(path.slice(1)) : null
    const lettersGrade = letters === null ? grades.other : gradeOfLetters(letters)
    return lettersGrade < grade ? { grade: lettersGrade, cost: letters?.cost ?? 0 } : { grade, cost: 0 }
  }
}

function gradeOfLetters({ isInName, isAtStarts }: AbbreviationMatch): Grade {
  if (isAtStarts) return isInName ? grades.firstLettersOfName : grades.firstLettersOfPath
  return isInName ? grades.lettersOfName : grades.lettersOfPath
}

/** Returns the function that grades a path by the terms that it contains. */
function createWordGrading(terms: readonly string[]): (path: Path) => Grade {
  const folded = terms.join(' ')
  const typed = wordsOf(folded)
  const phrase = typed.join(' ')
  if (phrase === '') return (path) => (includesAll(foldName(path), terms) ? grades.partsOfPath : grades.other)
  return (path) => {
    const name = nameOf(path)
    const words = wordsOf(name)
    const spaced = words.join(' ')
    if ([name, stemOf(name)].some((own) => foldName(own) === folded)) return grades.exactName
    if (spaced === phrase || wordsOf(stemOf(name)).join(' ') === phrase) return grades.sameWords
    if (spaced.startsWith(phrase)) return grades.startOfName
    if (typed.every((word) => words.some((own) => isSameWord(own, word)))) return grades.wholeWords
    if (typed.every((word) => words.some((own) => own.startsWith(word)))) return grades.startsOfWords
    if (includesAll(foldName(name), terms)) return grades.partsOfName
    return includesAll(foldName(path), terms) ? grades.partsOfPath : grades.other
  }
}

const includesAll = (text: string, terms: readonly string[]): boolean =>
  terms.every((term) => text.includes(term))

/** Matches runs of letters and runs of digits. A capital letter after a small one begins a word, as in `readMe`. */
const word = /\p{N}+|[^\p{N}\p{P}\p{S}\p{Z}\p{C}]+/gu
const startOfCapital = /(?<=\p{Ll})(?=\p{Lu})/gu

const wordsOf = (text: string): readonly string[] =>
  text.normalize('NFC').replaceAll(startOfCapital, ' ').match(word)?.map(foldName) ?? []

/** Returns a name without its extension. The dot of a hidden file does not begin an extension. */
const stemOf = (name: string): string => {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}

const isSameWord = (own: string, typed: string): boolean =>
  own === typed || (/^\d+$/.test(own) && /^\d+$/.test(typed) && withoutZeros(own) === withoutZeros(typed))

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '')
