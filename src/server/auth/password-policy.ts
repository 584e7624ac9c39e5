import { commonPhrases, commonWords, walks } from './common-passwords.ts'
import { faultOfText } from './passwords.ts'

const shortestWalk = 4
const fewestCharacters = 3
/** A year, a date, some marks. A longer number may be a good one. */
const longestFiller = 8

/**
 * Why a new password is refused, as a sentence; null when it is good. The same for everybody who chooses one: signup, the own
 * profile, administrators, the command line (contract 2.8). Length is counted in characters.
 */
export function faultOfPassword(password: string, minimumLength: number): string | null {
  const fault = faultOfText(password)
  if (fault !== null) return fault
  if (Array.from(password).length < minimumLength)
    return `password is too short, minimum length is ${minimumLength}`
  return isCommon(password) ? 'password is too easy' : null
}

/**
 * Whether a guesser would come by it early: it repeats itself, or is made of nothing but common words, walks along the keyboard,
 * runs of one character, short numbers and marks, however the letters are dressed up.
 */
export function isCommon(password: string): boolean {
  const lower = password.toLowerCase()
  const bare = lower.replaceAll(/[\s_.-]/g, '')
  if (new Set(bare).size < fewestCharacters || commonPhrases.has(bare)) return true
  return [bare, undressed(bare)].some((text) => commonPhrases.has(text) || isMadeOfCommonParts(unitOf(text)))
}

const dress: Readonly<Record<string, string>> = {
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

/** `p4$$w0rd` as it is meant. What stands at the end is a number or a mark in its own right. */
function undressed(text: string): string {
  const [tail = ''] = /[^\p{L}]*$/u.exec(text) ?? []
  const stem = text.slice(0, text.length - tail.length)
  return stem.replaceAll(/[013457@$!]/g, (character) => dress[character] ?? character) + tail
}

/** What a text is the repetition of; itself when of nothing shorter. */
function unitOf(text: string): string {
  const at = (text + text).indexOf(text, 1)
  return text.slice(0, at)
}

/** Whether the text can be cut into known parts from its start to its end. A unit as short as this is common whatever it says. */
function isMadeOfCommonParts(text: string): boolean {
  if (text.length <= shortestWalk) return true
  const isReached = [true]
  for (let at = 0; at < text.length; at += 1) {
    if (!isReached[at]) continue
    for (const length of partsAt(text, at)) isReached[at + length] = true
  }
  return isReached[text.length] === true
}

/** The lengths of the known parts that begin at a place. */
function partsAt(text: string, at: number): number[] {
  const rest = text.slice(at)
  const words = commonWords.filter((word) => rest.startsWith(word)).map((word) => word.length)
  const [filler = ''] = /^[^\p{L}]+/u.exec(rest) ?? []
  const [run = ''] = /^(.)\1{2,}/.exec(rest) ?? []
  const ends = [filler.length > longestFiller ? 0 : filler.length, run.length, walkAt(rest)]
  return [...words, ...ends].filter((length) => length > 0)
}

/** How far a text goes along a keyboard or an alphabet, forwards or backwards, from its start. */
function walkAt(text: string): number {
  let longest = 0
  for (const walk of bothWays) {
    for (let from = walk.indexOf(text.charAt(0)); from >= 0; from = walk.indexOf(text.charAt(0), from + 1)) {
      longest = Math.max(longest, sharedLength(text, walk.slice(from)))
    }
  }
  return longest >= shortestWalk ? longest : 0
}

const bothWays: readonly string[] = walks.flatMap((walk) => [walk, Array.from(walk).reverse().join('')])

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}
