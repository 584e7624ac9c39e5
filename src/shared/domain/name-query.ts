import { typeOfName } from './file-kind.ts'
import { wireExtension } from './names.ts'

/** What names are searched for, as plain data: it travels to other threads. */
export type NameQuery = {
  readonly isCaseSensitive: boolean
  /** Kinds (image, audio, video) and extensions without a dot; any of them is enough. */
  readonly types: readonly string[]
  /** Parts of the name; any of them is enough. Lower-cased unless the case counts. */
  readonly terms: readonly string[]
}

/**
 * The query language (contract 7): `case:sensitive`, `type:<word>`, terms or one term in double quotes. Empty terms between spaces
 * are none: in the original they match everything (contract 17, T16).
 */
export function parseNameQuery(text: string): NameQuery {
  const isCaseSensitive = text.includes('case:sensitive')
  const withoutCase = text.replaceAll('case:insensitive', '').replaceAll('case:sensitive', '')
  const types = Array.from(withoutCase.matchAll(typeWord), ([, word = '']) => word)
  const rest = withoutCase.replaceAll(typeWord, '').trim()
  return { isCaseSensitive, types, terms: termsOf(isCaseSensitive ? rest : rest.toLowerCase()) }
}

const typeWord = /type:([0-9A-Za-z_]+)/g

function termsOf(text: string): string[] {
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) return [text.slice(1, -1)]
  return text.split(/\s+/).filter((term) => term !== '')
}

/** Judges names by a query: some type fits, and some term is part of the name. */
export function createNameMatch({ isCaseSensitive, types, terms }: NameQuery): (name: string) => boolean {
  const isOfType = types.map((word) => typeJudge(word, isCaseSensitive))
  return (name) => {
    const text = isCaseSensitive ? name : name.toLowerCase()
    if (terms.length > 0 && !terms.some((term) => text.includes(term))) return false
    return isOfType.length === 0 || isOfType.some((fits) => fits(name))
  }
}

const kinds: Readonly<Record<string, string>> = {
  image: 'image',
  audio: 'audio',
  music: 'audio',
  video: 'video',
}

/** Whether some name in a text of many, kept apart by what no name holds, may fit: false where a look at each can be spared. */
export function createTextMatch({ isCaseSensitive, terms }: NameQuery): (names: string) => boolean {
  if (terms.length === 0) return () => true
  return (names) => {
    const text = isCaseSensitive ? names : names.toLowerCase()
    return terms.some((term) => text.includes(term))
  }
}

/** By kind, or by extension. Case does not count in extensions unless it counts anywhere (contract 17, T16). */
function typeJudge(word: string, isCaseSensitive: boolean): (name: string) => boolean {
  const kind = Object.hasOwn(kinds, word) ? kinds[word] : undefined
  if (kind !== undefined) return (name) => name.includes('.') && typeOfName(name) === kind
  if (isCaseSensitive) return (name) => wireExtension(name) === `.${word}`
  const extension = `.${word.toLowerCase()}`
  return (name) => wireExtension(name).toLowerCase() === extension
}
