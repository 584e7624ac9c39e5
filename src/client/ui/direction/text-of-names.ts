import { rightToLeft, visibleName } from '../visible-name.ts'

/** The characters that isolate a text from the direction of its line (Unicode UAX 9): from left to right, by its first letter, the end. */
const [leftToRightIsolate, firstStrongIsolate, endOfIsolate] = ['\u2066', '\u2068', '\u2069']

/**
 * Returns the names of a path as a text, for places that have no room for elements: titles, messages, names for screen
 * readers. It looks like `PathText`.
 */
export function textOfNames(names: readonly string[]): string {
  const shown = names.map(visibleName)
  if (!shown.some((name) => rightToLeft.test(name))) return shown.join(' / ')
  const isolated = shown.map((name) => `${firstStrongIsolate}${name}${endOfIsolate}`)
  return `${leftToRightIsolate}${isolated.join(' / ')}${endOfIsolate}`
}

/** Returns where a position among visible names that slashes join is in the text of the same names. */
export function positionInText(joined: string, position: number): number {
  // The numbers of characters before the first name, and between two names.
  const [before, between] = rightToLeft.test(joined) ? [2, 5] : [0, 3]
  const slashes = joined.slice(0, position).split('/').length - 1
  return before + position + slashes * (between - 1)
}
