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

/**
 * Matches an absolute path, also as a `file:` URL, that is not a part of another URL or path. The group is its last name. Two slashes
 * after a colon begin the host of a URL, and three its path.
 */
const absolutePath =
  /(?<![\p{L}\p{N}_./-])(?:file:\/\/[^\s/'"`:;,()<>]*(?=\/))?(?<!:(?=\/\/[^/]))\/+(?!\.(?:\s|$))(?:[^\s/'"`:;,()<>]+\/+)*([^\s/'"`:;,()<>]+)\/*/giu

/** Matches the rest of a name after a path that is only the start of a longer one. */
const restOfName = /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}_-])/u

/** Replaces each place of a path in a text, except where the last name is longer there. */
const replacePath = (text: string, path: string, replacement: string): string =>
  text.split(path).reduce((before, after) => before + (restOfName.test(after) ? path : replacement) + after)

/** Matches the characters that change the direction of the text around them. */
const directionControl = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The paths on disk that a program knows from its values. */
export type KnownPaths = Pick<HookValues, 'FILE' | 'DESTINATION'> & {
  /** The served folder. Empty when it is not known. */
  readonly servedFolder: string
}

/**
 * Returns the reason that users see when a program refuses a change: what the program has printed, with the last name in
 * place of each path on disk, and a slash in place of the served folder, because users may not know the folders of the
 * server. Null when nothing is left.
 */
export function refusalTextOf(line: string, { FILE, DESTINATION, servedFolder }: KnownPaths): string | null {
  const known = [FILE, DESTINATION].filter((path) => path.length > 1 && path !== servedFolder)
  const shortened = known
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, path) => replacePath(text, path, path.split('/').at(-1) ?? ''), line)
  // The served folder is replaced apart from the paths, because its name may contain blanks, at which a path would end.
  const served =
    servedFolder.length > 1
      ? replacePath(shortened.replaceAll(`${servedFolder}/`, '/'), servedFolder, '/')
      : shortened
  const named = served
    .replaceAll(absolutePath, (_path, name: string) => name)
    .replaceAll(directionControl, '')
    .toWellFormed()
  const characters = Array.from(named)
  const text =
    characters.length > maxCharacters ? `${characters.slice(0, maxCharacters - 1).join('')}…` : named
  return text === '' ? null : text
}
