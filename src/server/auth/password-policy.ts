import type { FailureOptions } from '../../shared/domain/failure.ts'
import { commonPhrases, commonWords, keyboardSequences } from './common-passwords.ts'
import { faultOfPasswordText } from './passwords.ts'

/** The options of the `AppError` that refuses a password. */
export type PasswordFault = Required<Pick<FailureOptions, 'reason' | 'refused'>> &
  Pick<FailureOptions, 'minimumLength'>

const minSequenceLength = 4
const minDistinctCharacters = 3
/**
 * Maximum length of a filler (digits and punctuation) in characters. A year or a date is not longer, and a longer
 * number may be a good password.
 */
const maxFillerLength = 8

/**
 * Returns why a new password is refused, with the reason as a sentence, or null when it is acceptable. The same rule applies
 * to signup, to the user's own profile, to administrators and to the command line (contract 2.8). The length is counted
 * in characters.
 */
export function faultOfPassword(password: string, minimumLength: number): PasswordFault | null {
  const fault = faultOfPasswordText(password)
  if (fault !== null) return { reason: fault, refused: 'password' }
  if (Array.from(password).length < minimumLength) {
    const reason = `password is too short, minimum length is ${minimumLength}`
    return { reason, refused: 'short-password', minimumLength }
  }
  return isCommon(password) ? { reason: 'password is too easy', refused: 'easy-password' } : null
}

/**
 * Returns true for a password that is easy to guess: it repeats a short text, or it consists only of common words,
 * keyboard sequences, runs of one character, short numbers and punctuation. Look-alike characters count as the letters
 * that they replace.
 */
export function isCommon(password: string): boolean {
  const lower = password.toLowerCase()
  const bare = lower.replaceAll(/[\s_.-]/g, '')
  if (new Set(bare).size < minDistinctCharacters || commonPhrases.has(bare)) return true
  return [bare, withoutSubstitutions(bare)].some(
    (text) => commonPhrases.has(text) || isMadeOfCommonParts(repeatedUnitOf(text)),
  )
}

const substitutions: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/**
 * Replaces look-alike characters by their letters: `p4$$w0rd` becomes `password`. Digits and punctuation at the end are
 * kept, because they rarely stand for letters there.
 */
function withoutSubstitutions(text: string): string {
  const [tail = ''] = /[^\p{L}]*$/u.exec(text) ?? []
  const stem = text.slice(0, text.length - tail.length)
  return stem.replaceAll(/[013457@$!]/g, (character) => substitutions[character] ?? character) + tail
}

/** Returns the shortest text that the given text is a repetition of, or the text itself. */
function repeatedUnitOf(text: string): string {
  const at = (text + text).indexOf(text, 1)
  return text.slice(0, at)
}

/**
 * Returns true when the whole text can be split into common parts. A text of at most 4 characters counts as a common
 * part.
 */
function isMadeOfCommonParts(text: string): boolean {
  if (text.length <= minSequenceLength) return true
  const isReached = [true]
  for (let at = 0; at < text.length; at += 1) {
    if (!isReached[at]) continue
    for (const length of partLengthsAt(text, at)) isReached[at + length] = true
  }
  return isReached[text.length] === true
}

/**
 * Returns the lengths of the common words, fillers, runs of one character and keyboard sequences that begin at an
 * index.
 */
function partLengthsAt(text: string, at: number): number[] {
  const rest = text.slice(at)
  const words = commonWords.filter((word) => rest.startsWith(word)).map((word) => word.length)
  const [filler = ''] = /^[^\p{L}]+/u.exec(rest) ?? []
  const [run = ''] = /^(.)\1{2,}/.exec(rest) ?? []
  const ends = [filler.length > maxFillerLength ? 0 : filler.length, run.length, sequenceLengthAt(rest)]
  return [...words, ...ends].filter((length) => length > 0)
}

/**
 * Returns how many characters at the start of a text follow one of the sequences in `walks`, forwards or backwards.
 * Returns 0 when they are too few to count as a sequence.
 */
function sequenceLengthAt(text: string): number {
  let longest = 0
  for (const walk of sequencesBothWays) {
    for (let from = walk.indexOf(text.charAt(0)); from >= 0; from = walk.indexOf(text.charAt(0), from + 1)) {
      longest = Math.max(longest, sharedLength(text, walk.slice(from)))
    }
  }
  return longest >= minSequenceLength ? longest : 0
}

const sequencesBothWays: readonly string[] = keyboardSequences.flatMap((walk) => [
  walk,
  Array.from(walk).reverse().join(''),
])

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}
