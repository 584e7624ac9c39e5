import { type NameQuery, parseNameQuery } from '../../../shared/domain/name-query.ts'

/** The kinds of files by which a search can be narrowed, with the word that the text of the search contains (specification 9). */
export const fileKinds = [
  { word: 'type:image', label: 'search.images', type: 'image' },
  { word: 'type:audio', label: 'search.music', type: 'audio' },
  { word: 'type:video', label: 'search.video', type: 'video' },
  { word: 'type:pdf', label: 'search.pdf', type: 'pdf' },
] as const

/** Returns true when the text of a search contains the word, as a word of its own. */
export const hasWord = (text: string, word: string): boolean => text.split(/\s+/).includes(word)

/** Adds a word at the start of the text of a search, or removes it when the text contains it. */
export function toggleWord(text: string, word: string): string {
  if (!hasWord(text, word)) return `${word} ${text.trimStart()}`
  return text
    .split(/\s+/)
    .filter((other) => other !== word)
    .join(' ')
}

const optionWord = /(?<!\S)(?:type|case):\w+(?!\S)/g

/** A pattern of file names, such as `*.jpg`, as people type it who know command lines. */
const extensionPattern = /(?<!\S)\*\.(\w+)(?!\S)/g

/** Returns the query for a text of the search field: a pattern such as `*.jpg` becomes the word for this kind of file. */
export const queryOf = (text: string): string => text.replaceAll(extensionPattern, 'type:$1').trim()

/** Parses the text of the search field. A name has to contain all words, in any order, because each further word narrows the search (ux 2.6). */
export const parseSearch = (text: string): NameQuery =>
  parseNameQuery(queryOf(text), { ignoresAccents: true, needsAllTerms: true })

/** The kinds of files to which a text narrows a search. Messages name a single kind of the chips, and list the others. */
type SearchedKinds = {
  readonly kind: (typeof fileKinds)[number]['type'] | 'other'
  /** The words of the kinds and the extensions, without `type:`. */
  readonly words: readonly string[]
}

/** Returns the kinds of files to which a text narrows the search, or null when it finds all kinds. */
export function kindsIn(text: string): SearchedKinds | null {
  const { types } = parseSearch(text)
  const words = [...new Set(types.map((word) => word.toLowerCase()))]
  if (words.length === 0) return null
  const known = fileKinds.find(({ type }) => words.length === 1 && type === words[0])
  return { kind: known?.type ?? 'other', words }
}

/** Returns the words of a text without the options, such as the kind of file. */
export const wordsWithoutOptions = (text: string): string => queryOf(text).replaceAll(optionWord, '').trim()
