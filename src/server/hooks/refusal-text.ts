import { createPlainText } from '../programs/plain-text.ts'
import type { HookValues } from './hook-command.ts'

/** The maximum length of the reason that users see, in characters. Longer texts are no sentence for a notice. */
const maxCharacters = 200

/** The maximum number of bytes of each output in which the first line is searched for. */
export const firstLineBytes = 4096

/**
 * Returns the first line of an output that has a visible character, without control sequences. Empty when there is none.
 */
export const firstLineOf = (output: string): string =>
  createPlainText()(output)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .find((line) => line !== '') ?? ''

/** Matches an absolute path of at least two names that is not a part of a URL or of another path. */
const absolutePath = /(?<![\p{L}\p{N}_.:/-])\/(?:[^\s/'"`:;,()<>]+\/)+([^\s/'"`:;,()<>]*)/gu

/** Matches the characters that change the direction of the text around them. */
const directionControl = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns the reason that users see when a program refuses a change: what the program has printed, with the last name in
 * place of each path on disk, because users may not know the folders of the server. Null when nothing is left.
 */
export function refusalTextOf(line: string, values: Pick<HookValues, 'FILE' | 'DESTINATION'>): string | null {
  const known = [values.FILE, values.DESTINATION].filter((path) => path.length > 1)
  const named = known
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, path) => text.replaceAll(path, () => path.split('/').at(-1) ?? ''), line)
    .replaceAll(absolutePath, (_path, name: string) => name)
    .replaceAll(directionControl, '')
    .toWellFormed()
  const characters = Array.from(named)
  const text =
    characters.length > maxCharacters ? `${characters.slice(0, maxCharacters - 1).join('')}…` : named
  return text === '' ? null : text
}
