import { createNameMatch, type NameQuery } from '../../../shared/domain/name-query.ts'
import { type ListingColumns, nameOfId } from './columns.ts'
import { foldName } from '../../../shared/domain/fold-name.ts'

/** A test of the rows of a folder. */
export type RowMatch = {
  /** Tests the row with an id. */
  readonly test: (columns: ListingColumns, id: number) => boolean
  /**
   * The text in lower case that a name of ASCII letters contains exactly when it matches, or null when the match does not
   * depend on a single text.
   */
  readonly asciiTerm: string | null
}

/** A part of a text: the indexes of its first character and of the character after its last character. */
export type TextRange = { readonly start: number; readonly end: number }

const encoder = new TextEncoder()

/** Maps each byte to the byte of the lower-case letter. Bytes of characters outside of ASCII are not changed. */
const lowerCaseBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
)
const sameBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)

/**
 * Creates the test with which a search filters the rows of a folder. It accepts every name that the search of the
 * server accepts, and ignores accents, too. Most names are compared as bytes, because decoding a million names takes
 * 20 times as long. Only names with characters outside of ASCII are decoded.
 */
export function createRowMatch(query: NameQuery): RowMatch {
  const { terms, types, isCaseSensitive } = query
  const hasTerm = createTermMatch(query)
  const [term = ''] = terms.map(foldTerm)
  const isSingle = terms.length === 1 && types.length === 0 && !isCaseSensitive && /^[\0-\x7f]+$/.test(term)
  if (types.length === 0) return { test: hasTerm, asciiTerm: isSingle ? term : null }
  const hasType = createNameMatch({ ...query, terms: [] })
  return {
    test: (columns, id) => hasTerm(columns, id) && hasType(nameOfId(columns, id)),
    asciiTerm: null,
  }
}

function createTermMatch({ terms, isCaseSensitive, needsAllTerms }: NameQuery): RowMatch['test'] {
  if (terms.length === 0) return () => true
  const texts = isCaseSensitive ? terms : terms.map(foldTerm)
  const encoded = texts.map((text) => encoder.encode(text))
  const byteMap = isCaseSensitive ? sameBytes : lowerCaseBytes
  return (columns, id) => {
    const { names } = columns
    const start = columns.nameStart[id] ?? 0
    const end = start + (columns.nameBytes[id] ?? 0)
    let missing = needsAllTerms ? encoded.length : 1
    for (const term of encoded)
      if (containsBytes(names, { start, end, byteMap, term })) {
        missing -= 1
        if (missing === 0) return true
      }
    if (isCaseSensitive || isAscii(names, start, end)) return false
    const name = foldName(nameOfId(columns, id))
    return needsAllTerms
      ? texts.every((text) => name.includes(text))
      : texts.some((text) => name.includes(text))
  }
}

/** Folds a term. A term that consists of accents only is kept. */
const foldTerm = (term: string): string => foldName(term) || term

type ByteSearch = {
  readonly start: number
  readonly end: number
  /** Maps each byte of the name to the byte that is compared with the term. */
  readonly byteMap: Uint8Array
  readonly term: Uint8Array
}

function containsBytes(names: Uint8Array, { start, end, byteMap, term }: ByteSearch): boolean {
  const first = term[0] ?? 0
  const last = end - term.length
  for (let at = start; at <= last; at += 1) {
    if (byteMap[names[at] ?? 0] !== first) continue
    let same = 1
    while (same < term.length && byteMap[names[at + same] ?? 0] === term[same]) same += 1
    if (same === term.length) return true
  }
  return false
}

function isAscii(names: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((names[at] ?? 0) > 0x7f) return false
  return true
}

/** Returns the parts of a text that match the terms of a query, from left to right and without overlaps. */
export function matchingRanges(
  text: string,
  { terms, isCaseSensitive }: Pick<NameQuery, 'terms' | 'isCaseSensitive'>,
): readonly TextRange[] {
  const { folded, positions } = foldWithPositions(text, isCaseSensitive)
  const ranges = terms
    .map((term) => (isCaseSensitive ? term : foldTerm(term)))
    .flatMap((term) => occurrencesOf(term, folded))
    .map(({ start, end }) => ({ start: positions[start] ?? 0, end: positions[end] ?? text.length }))
    .toSorted((a, b) => a.start - b.start)
  const merged: TextRange[] = []
  for (const range of ranges) {
    const before = merged.at(-1)
    if (before === undefined || range.start > before.end) merged.push(range)
    else merged[merged.length - 1] = { start: before.start, end: Math.max(before.end, range.end) }
  }
  return merged
}

/**
 * Folds a text. `positions` contains, for each character of the folded text and for its end, the index in the original
 * text. An accent belongs to the letter before it.
 */
function foldWithPositions(
  text: string,
  isCaseSensitive: boolean,
): { readonly folded: string; readonly positions: readonly number[] } {
  let folded = ''
  let at = 0
  const positions: number[] = []
  for (const character of text) {
    const piece = isCaseSensitive ? character : foldName(character)
    for (let unit = 0; unit < piece.length; unit += 1) positions.push(at)
    folded += piece
    at += character.length
  }
  positions.push(text.length)
  return { folded, positions }
}

function occurrencesOf(term: string, text: string): readonly TextRange[] {
  const found: TextRange[] = []
  if (term === '') return found
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + term.length))
    found.push({ start: at, end: at + term.length })
  return found
}
