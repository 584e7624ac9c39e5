import { typeOfName } from './file-kind.ts'
import { foldName } from './fold-name.ts'
import { wireExtension } from './names.ts'

/** A parsed search query for names. It contains only plain data, because it is sent to worker threads. */
export type NameQuery = {
  readonly isCaseSensitive: boolean
  /** True when `cafe` finds `Café`. A search that is case sensitive compares accents, too. */
  readonly ignoresAccents: boolean
  /** True when a name must contain all terms. Otherwise one term is enough. */
  readonly needsAllTerms: boolean
  /**
   * File kinds (image, audio, video) and extensions without a dot. Unless this list is empty, a name must match at
   * least one of its items.
   */
  readonly types: readonly string[]
  /**
   * Parts of names, in lower case unless the search is case sensitive, and without accents when they are ignored. Unless
   * this list is empty, a name must contain at least one of its items, or all of them with `needsAllTerms`.
   */
  readonly terms: readonly string[]
}

/**
 * Parses a search query (contract 7), which consists of `case:sensitive`, `type:<word>`, and several terms or one term
 * in double quotes. Empty terms between spaces are dropped. In File Browser, empty terms match everything (contract 17,
 * T16). Accents count and one term is enough, as in File Browser, unless the caller decides otherwise.
 */
export function parseNameQuery(
  text: string,
  options: { readonly ignoresAccents?: boolean; readonly needsAllTerms?: boolean } = {},
): NameQuery {
  const isCaseSensitive = text.includes('case:sensitive')
  const ignoresAccents = options.ignoresAccents === true && !isCaseSensitive
  const withoutCase = text.replaceAll('case:insensitive', '').replaceAll('case:sensitive', '')
  const types = Array.from(withoutCase.matchAll(typeWord), ([, word = '']) => word)
  const rest = withoutCase.replaceAll(typeWord, '').trim()
  const fold = createFolding({ isCaseSensitive, ignoresAccents })
  // A term that consists of accents only is kept, because an empty term would match every name.
  const terms = termsOf(rest).map((term) => fold(term) || term)
  return { isCaseSensitive, ignoresAccents, needsAllTerms: options.needsAllTerms === true, types, terms }
}

/** Returns the function that is applied to names and terms before they are compared. */
export function createFolding({
  isCaseSensitive,
  ignoresAccents,
}: Pick<NameQuery, 'isCaseSensitive' | 'ignoresAccents'>): (text: string) => string {
  if (isCaseSensitive) return (text) => text
  return ignoresAccents ? foldName : (text) => text.toLowerCase()
}

const typeWord = /type:([0-9A-Za-z_]+)/g

function termsOf(text: string): string[] {
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) return [text.slice(1, -1)]
  return text.split(/\s+/).filter((term) => term !== '')
}

/** Creates a predicate for names. A name matches when it has one of the types, and contains one of the terms or all of them. */
export function createNameMatch(query: NameQuery): (name: string) => boolean {
  const { isCaseSensitive, types } = query
  const hasTerms = createTermTest(query)
  const fold = createFolding(query)
  const isOfType = types.map((word) => createTypeMatch(word, isCaseSensitive))
  return (name) => {
    if (!hasTerms(fold(name))) return false
    return isOfType.length === 0 || isOfType.some((fits) => fits(name))
  }
}

/** Creates the test whether a folded text has enough of the terms. */
function createTermTest({ terms, needsAllTerms }: NameQuery): (text: string) => boolean {
  if (terms.length === 0) return () => true
  if (needsAllTerms) return (text) => terms.every((term) => text.includes(term))
  return (text) => terms.some((term) => text.includes(term))
}

const kinds: Readonly<Record<string, string>> = {
  image: 'image',
  audio: 'audio',
  music: 'audio',
  video: 'video',
}

/**
 * Creates a predicate for a string of many names, separated by a character that no name contains. When the predicate
 * returns false, none of the names matches, and the names need not be tested one by one.
 */
export function createTextMatch(query: NameQuery): (names: string) => boolean {
  const hasTerms = createTermTest(query)
  if (query.terms.length === 0) return () => true
  const fold = createFolding(query)
  return (names) => hasTerms(fold(names))
}

/**
 * Creates a predicate that tests names by file kind or by extension. Extensions are compared without regard to case
 * unless the search is case sensitive (contract 17, T16).
 */
function createTypeMatch(word: string, isCaseSensitive: boolean): (name: string) => boolean {
  const kind = Object.hasOwn(kinds, word) ? kinds[word] : undefined
  if (kind !== undefined) return (name) => name.includes('.') && typeOfName(name) === kind
  if (isCaseSensitive) return (name) => wireExtension(name) === `.${word}`
  const extension = `.${word.toLowerCase()}`
  return (name) => wireExtension(name).toLowerCase() === extension
}
