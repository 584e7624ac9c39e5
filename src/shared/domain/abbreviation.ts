import { createFolding, type NameQuery } from './name-query.ts'

/** The number of paths that a search sends for an abbreviation, the best ones. The list of *Go to file* is as long. */
export const maxAbbreviatedPaths = 50

/** The largest number of letters of an abbreviation. The time of a comparison grows with it, and few names are longer. */
const maxLetters = 64

/** The result of a comparison of a path with an abbreviation that it matches. */
export type AbbreviationMatch = {
  /** True when the name has all letters. Such a match is better than one with letters in the names of folders. */
  readonly isInName: boolean
  /** True when each part that matches begins at the start of a word. Otherwise letters are scattered within words. */
  readonly isAtStarts: boolean
  /** 1 for each word that is passed, and 2 for each place inside a word where letters are left out. */
  readonly cost: number
  /** The parts of the path that match, from left to right and without overlaps. */
  readonly ranges: readonly PathRange[]
}

/** A part of a path: the indexes of its first character and of the character after its last character. */
type PathRange = { readonly start: number; readonly end: number }

/** The part of a query by which paths are compared with an abbreviation. */
type AbbreviationQuery = Pick<NameQuery, 'terms' | 'isCaseSensitive' | 'ignoresAccents'>

/** Returns true when a text can be an abbreviation: it has terms, and not more letters than can be compared. */
export const isAbbreviation = ({ terms }: Pick<NameQuery, 'terms'>): boolean =>
  terms.length > 0 && terms.join('').length <= maxLetters

/**
 * Creates the function that compares a path without a leading slash with an abbreviation. The path has to contain the letters
 * of each term in their order, and at least one term has to end in the name. The first letter that is taken from a word is
 * the first letter of the word, a digit or a sign. A term that the path contains as it is may begin anywhere.
 */
export function createAbbreviationMatch(
  query: AbbreviationQuery,
): (path: string) => AbbreviationMatch | null {
  const { terms } = query
  const fold = createFolding(query)
  return (path) => {
    const folded = foldPath(path, fold)
    if (terms.some((term) => lettersIn(folded.text, term) < term.length)) return null
    const compared = { ...folded, ...wordsOf(path, folded) }
    const inName = findTerms(terms, compared, folded.nameStart)
    const found = inName ?? findTerms(terms, compared, 0)
    if (found === null) return null
    const { cost, positions } = found
    const isAtStarts = positions.every(
      (at, index) => compared.isStart[at] === 1 || (index > 0 && positions[index - 1] === at - 1),
    )
    return { isInName: inName !== null, isAtStarts, cost, ranges: rangesOf(positions, folded) }
  }
}

/**
 * Creates a fast test of all names of a folder, which finds every name that matches an abbreviation, and others. `folder` is
 * the path of the folder with a slash at the end, or empty. `names` has a NUL after each name. Returns a 1 for each name that may
 * match, or null when there is no such name.
 */
export function createAbbreviationFilter(
  query: AbbreviationQuery,
): (folder: string, names: string, count: number) => Uint8Array | null {
  const { terms } = query
  const fold = createFolding(query)
  return (folder, names, count) => {
    const above = fold(folder)
    const text = fold(names)
    const rests = terms.map((term) => term.slice(lettersIn(above, term)))
    const open = rests.filter((rest) => rest !== '')
    // When the folder has the letters of all terms, one of the terms has to end in the name.
    const [isAnyEnough, sought] =
      open.length === 0 ? [true, terms.map((term) => term.slice(-1))] : [false, open]
    const [marks, ...others] = sought.map((rest) => markNames(text, rest, count))
    if (marks === undefined) return null
    for (const other of others)
      for (let index = 0; index < count; index += 1)
        marks[index] = isAnyEnough ? marks[index]! | other[index]! : marks[index]! & other[index]!
    return marks.includes(1) ? marks : null
  }
}

/** Returns a 1 for each name that has the letters of a text in their order. */
function markNames(names: string, letters: string, count: number): Uint8Array {
  const marks = new Uint8Array(count)
  const codes = Array.from({ length: letters.length }, (_, at) => letters.charCodeAt(at))
  // Finding a single letter is about 50 times as fast as comparing the letters of each name.
  if (codes.some((code) => !names.includes(String.fromCharCode(code)))) return marks
  const { length } = names
  let found = 0
  let sought = codes[0] ?? -1
  let index = 0
  for (let at = 0; at < length; at += 1) {
    const code = names.charCodeAt(at)
    if (code === sought) {
      found += 1
      sought = codes[found] ?? -1
    } else if (code === 0) {
      if (found === codes.length) marks[index] = 1
      index += 1
      found = 0
      sought = codes[0] ?? -1
    }
  }
  return marks
}

/** Returns how many of the first letters of a term a text has in their order. */
function lettersIn(text: string, term: string): number {
  let found = 0
  for (let at = 0; at < text.length && found < term.length; at += 1)
    if (text.charCodeAt(at) === term.charCodeAt(found)) found += 1
  return found
}

/** A path after folding. */
type FoldedPath = {
  readonly text: string
  /** The index of the first unit of the name in `text`. */
  readonly nameStart: number
  /** For each unit of `text`, the part of the path from which it comes. Null when both have the same indexes. */
  readonly origins: readonly PathRange[] | null
}

const ascii = /^[\0-\x7f]*$/

function foldPath(path: string, fold: (text: string) => string): FoldedPath {
  if (ascii.test(path)) return { text: fold(path), nameStart: path.lastIndexOf('/') + 1, origins: null }
  let text = ''
  let at = 0
  const origins: PathRange[] = []
  for (const character of path) {
    const piece = fold(character)
    const end = at + character.length
    const last = origins.at(-1)
    // An accent belongs to the letter before it.
    if (piece === '' && last !== undefined) origins[origins.length - 1] = { start: last.start, end }
    for (let unit = 0; unit < piece.length; unit += 1) origins.push({ start: at, end })
    text += piece
    at = end
  }
  return { text, nameStart: text.lastIndexOf('/') + 1, origins }
}

/** The words of a folded path. */
type PathWords = {
  /** For each unit, the number of words that begin before it or at it. */
  readonly words: Int32Array
  /** For each unit, 1 when an abbreviation may take it without taking the unit before it or the start of its word. */
  readonly isStart: Uint8Array
}

const kinds = { small: 0, letter: 1, digit: 2, sign: 3, ideograph: 4, rest: 5 } as const
type CharacterKind = (typeof kinds)[keyof typeof kinds]
/** The first character of the scripts that write whole syllables or words as one character, such as Chinese. */
const firstIdeograph = 0x2e80

/** Returns the kind of a character, by which words are found. A `rest` is the second half of a surrogate pair. */
function kindOf(path: string, at: number): CharacterKind {
  const code = path.charCodeAt(at)
  if (code >= 0x61 && code <= 0x7a) return kinds.small
  if (code >= 0x41 && code <= 0x5a) return kinds.letter
  if (code >= 0x30 && code <= 0x39) return kinds.digit
  if (code < 0x80) return kinds.sign
  if (code >= 0xdc00 && code <= 0xdfff) return kinds.rest
  const character = path.charAt(at)
  if (/\p{Ll}/u.test(character)) return kinds.small
  if (/[\p{L}\p{M}]/u.test(character))
    return code >= firstIdeograph && /\p{Lo}/u.test(character) ? kinds.ideograph : kinds.letter
  return /\p{N}/u.test(character) ? kinds.digit : kinds.sign
}

/**
 * Finds the words of a path. A word is a run of letters or of digits, and a capital letter after a small one begins a word. Each
 * digit, each sign and each ideograph may be taken alone.
 */
function wordsOf(path: string, { text, origins }: FoldedPath): PathWords {
  const words = new Int32Array(text.length)
  const isStart = new Uint8Array(text.length)
  let count = 0
  let before: CharacterKind = kinds.sign
  for (let at = 0; at < text.length; at += 1) {
    const start = origins?.[at]?.start ?? at
    const isSame = at > 0 && origins?.[at - 1]?.start === start
    const kind = isSame ? kinds.rest : kindOf(path, start)
    const isLetter = kind <= kinds.letter
    const isWord = isLetter
      ? before > kinds.letter || (before === kinds.small && isCapital(path, start))
      : kind === kinds.digit && before !== kinds.digit
    if (isWord) count += 1
    words[at] = count
    isStart[at] = Number(isWord || (!isLetter && kind !== kinds.rest))
    if (kind !== kinds.rest) before = kind
  }
  return { words, isStart }
}

const isCapital = (path: string, at: number): boolean => /\p{Lu}/u.test(path.charAt(at))

type ComparedPath = FoldedPath & PathWords
type FoundLetters = { readonly cost: number; readonly positions: readonly number[] }

/** Finds each term in the units from `from` on. At least one term has to end in the name. */
function findTerms(terms: readonly string[], path: ComparedPath, from: number): FoundLetters | null {
  const positions: number[] = []
  let cost = 0
  let endsInName = false
  for (const term of terms) {
    const found = findWhole(term, path, from) ?? findLetters(term, path, from)
    if (found === null) return null
    cost += found.cost
    positions.push(...found.positions)
    endsInName ||= (found.positions.at(-1) ?? 0) >= path.nameStart
  }
  return endsInName ? { cost, positions } : null
}

function findWhole(term: string, { text, nameStart }: ComparedPath, from: number): FoundLetters | null {
  const inName = text.indexOf(term, nameStart)
  const start = inName === -1 ? text.indexOf(term, from) : inName
  if (start === -1) return null
  return { cost: 0, positions: Array.from({ length: term.length }, (_, offset) => start + offset) }
}

const impossible = 1_000_000_000
const skipCost = 2

/**
 * Finds the letters of a term at the lowest cost. For each letter, the cheapest way to each unit is computed from the ways to the
 * letter before: the unit before this unit, an earlier unit of the same word, or a unit of an earlier word.
 */
function findLetters(term: string, path: ComparedPath, from: number): FoundLetters | null {
  const { text, words, isStart, nameStart } = path
  const { length } = text
  const origins = new Int32Array(term.length * length)
  let costs = new Int32Array(length).fill(impossible)
  for (let at = from; at < length; at += 1) {
    if (text.charCodeAt(at) !== term.charCodeAt(0) || isStart[at] !== 1) continue
    // A word that is passed at the start of a path costs nothing, because deep paths would be worse for their depth.
    costs[at] = from < nameStart ? 0 : (words[at] ?? 0) - (words[from] ?? 0)
  }
  for (let letter = 1; letter < term.length; letter += 1) {
    const code = term.charCodeAt(letter)
    const isRest = code >= 0xdc00 && code <= 0xdfff
    const next = new Int32Array(length).fill(impossible)
    /** The cheapest unit before this one: in the same word, and anywhere, by its cost less the words before it. */
    let inWord = -1
    let anywhere = -1
    const before = costs
    const lowestOf = (at: number): number => (before[at] ?? 0) - (words[at] ?? 0)
    for (let at = from + 1; at < length; at += 1) {
      const last = at - 1
      const lastCost = costs[last] ?? impossible
      const isReached = lastCost < impossible
      if (isStart[at] === 1) inWord = -1
      else if (isReached && (inWord === -1 || lastCost < (costs[inWord] ?? 0))) inWord = last
      if (isReached && (anywhere === -1 || lowestOf(last) < lowestOf(anywhere))) anywhere = last
      if (text.charCodeAt(at) !== code) continue
      const skipped = isRest || inWord === -1 ? impossible : (costs[inWord] ?? 0) + skipCost
      const passed = isStart[at] === 0 || anywhere === -1 ? impossible : lowestOf(anywhere) + (words[at] ?? 0)
      const cost = Math.min(lastCost, skipped, passed)
      next[at] = cost
      origins[letter * length + at] = cost === lastCost ? last : cost === skipped ? inWord : anywhere
    }
    costs = next
  }
  return followBack(term.length, { costs, origins, from, nameStart })
}

type FoundWays = {
  readonly costs: Int32Array
  readonly origins: Int32Array
  readonly from: number
  readonly nameStart: number
}

/** Returns the units of the cheapest way, which ends in the name when any way does. */
function followBack(letters: number, { costs, origins, from, nameStart }: FoundWays): FoundLetters | null {
  const inName = indexOfLowest(costs, nameStart)
  const end = (costs[inName] ?? impossible) < impossible ? inName : indexOfLowest(costs, from)
  const cost = costs[end] ?? impossible
  if (cost >= impossible) return null
  const positions = [end]
  for (let letter = letters - 1; letter > 0; letter -= 1)
    positions.unshift(origins[letter * costs.length + (positions[0] ?? 0)] ?? 0)
  return { cost, positions }
}

function indexOfLowest(costs: Int32Array, from: number): number {
  let lowest = from
  for (let at = from; at < costs.length; at += 1)
    if ((costs[at] ?? impossible) < (costs[lowest] ?? impossible)) lowest = at
  return lowest
}

/** Returns the parts of a path that belong to positions in its folded text. */
function rangesOf(positions: readonly number[], { origins }: FoldedPath): readonly PathRange[] {
  const ranges: { start: number; end: number }[] = []
  for (const at of positions.toSorted((a, b) => a - b)) {
    const { start, end } = origins?.[at] ?? { start: at, end: at + 1 }
    const last = ranges.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else ranges.push({ start, end })
  }
  return ranges
}
