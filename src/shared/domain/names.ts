import { byteLength, isText, pathLimits } from './name-bytes.ts'

/** The reason why a new entry cannot have a name. Existing entries on disk may have any name. */
export type NameFault = 'empty' | 'slash' | 'dots' | 'control' | 'too-long' | 'not-text'

/** Returns the reason why a new entry cannot have this name. Null when the name is allowed. */
export function faultOfNewName(name: string): NameFault | null {
  if (name.trim() === '') return 'empty'
  if (name.includes('/')) return 'slash'
  if (name === '.' || name === '..') return 'dots'
  if (/[\u0000-\u001F\u007F]/.test(name)) return 'control'
  if (!isText(name)) return 'not-text'
  return byteLength(name) > pathLimits.nameBytes ? 'too-long' : null
}

/** Splits a name into its stem and its extension with the dot. A leading dot does not start an extension. */
export function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const at = name.lastIndexOf('.')
  return at <= 0 ? { stem: name, extension: '' } : { stem: name.slice(0, at), extension: name.slice(at) }
}

/**
 * Returns the value of `extension` in the API: the part of the name that starts with its last dot. The same applies to
 * names like `.dot` and to folders (contract 3.1).
 */
export const wireExtension = (name: string): string =>
  name.includes('.') ? name.slice(name.lastIndexOf('.')) : ''

/**
 * Returns the n-th candidate for a free name: `x.txt`, `x(1).txt`, `x(2).txt`; `x.tar.gz` becomes `x.tar(1).gz`
 * (contract 3.8). The part before the number is cut where the name would be longer than a name may be.
 */
export function numberedName(name: string, n: number): string {
  if (n === 0) return name
  const at = name.lastIndexOf('.')
  const [stem, extension] = at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at)]
  return withNumber(stem, `(${n})`, extension)
}

/** Inserts a text between the stem and the extension, and cuts the stem, or else the extension, to the length of a name. */
export function withNumber(stem: string, number: string, extension: string): string {
  const maxBytes = pathLimits.nameBytes
  if (byteLength(stem + number + extension) <= maxBytes) return stem + number + extension
  const end = byteLength(number + extension) < maxBytes ? number + extension : number
  const characters = Array.from(stem + (end === number ? extension : ''))
  while (byteLength(characters.join('') + end) > maxBytes) characters.pop()
  return characters.join('') + end
}

/** The ends of names that consist of two extensions, such as `.tar.gz`. */
const doubleExtension = /\.tar\.[^.]{1,8}$/iu

/** Splits a name like `splitName`, and keeps a double extension such as `.tar.gz` together. */
function splitDoubleName(name: string): ReturnType<typeof splitName> {
  const at = name.search(doubleExtension)
  return at <= 0 ? splitName(name) : { stem: name.slice(0, at), extension: name.slice(at) }
}

/**
 * Returns the n-th candidate for a free name where no old client expects another one: `x(1).txt`, `x(1).tar.gz`,
 * `.bashrc(1)`. A name that becomes too long is shortened before the number.
 */
export function conflictName(name: string, n: number): string {
  if (n === 0) return name
  const { stem, extension } = splitDoubleName(name)
  return withNumber(stem, `(${n})`, extension)
}

/** Returns a name that is not longer than names may be. It keeps the extension. */
export function shortenName(name: string): string {
  const { stem, extension } = splitDoubleName(name)
  return withNumber(stem, '', extension)
}

/**
 * Returns the other spellings of a name that look the same: with composed letters (Unicode NFC), as most programs write
 * them, and with decomposed ones (NFD), as macOS does. Empty for most names.
 */
export const twinsOf = (name: string): readonly string[] =>
  ['NFC', 'NFD'].map((form) => name.normalize(form)).filter((twin) => twin !== name)
