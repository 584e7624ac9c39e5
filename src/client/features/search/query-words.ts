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

/**
 * Returns the query for a text of the search field. Words that are not options are searched for as they were typed, with
 * the spaces between them, because each further word has to narrow the search (ux 2.6). Without quotation marks, the
 * query language would accept a name that contains any of the words (contract 7).
 */
export function queryOf(text: string): string {
  const words = text.replaceAll(optionWord, '').trim()
  if (!/\s/.test(words) || /^".*"$/.test(words)) return text.trim()
  return [...(text.match(optionWord) ?? []), `"${words}"`].join(' ')
}
