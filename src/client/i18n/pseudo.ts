import type { Messages } from '@lingui/core'
import type { PseudoLocale } from './languages.ts'

const accented: Readonly<Record<string, string>> = {
  a: 'á',
  c: 'ç',
  d: 'ð',
  e: 'é',
  g: 'ĝ',
  h: 'ĥ',
  i: 'î',
  l: 'ļ',
  n: 'ñ',
  o: 'ö',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'û',
  w: 'ŵ',
  y: 'ý',
  z: 'ž',
  A: 'Å',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  F: 'Ƒ',
  G: 'Ĝ',
  H: 'Ĥ',
  I: 'Î',
  L: 'Ļ',
  M: 'Ṁ',
  N: 'Ñ',
  O: 'Ö',
  R: 'Ŕ',
  S: 'Š',
  T: 'Ţ',
  U: 'Û',
  W: 'Ŵ',
  Y: 'Ý',
}

/** The part of a compiled plural message that is replaced by the number. */
const countMark = '#'

/** Translates the English catalogue into a pseudo-language without changing placeholders and plural rules. */
export function pseudoMessages(tag: PseudoLocale, english: Messages): Messages {
  const change = tag === 'en-XA' ? lengthened : reversed
  return Object.fromEntries(
    Object.entries(english).map(([id, message]) => [
      id,
      (typeof message === 'string' ? change(message) : changedParts(message, change)) as Messages[string],
    ]),
  )
}

/**
 * Changes the texts inside a compiled message. The parts of the message are texts or arguments, and the argument of a
 * plural contains a text for each plural form.
 */
function changedParts(parts: unknown, change: (text: string) => string): unknown {
  if (!Array.isArray(parts)) return parts
  return parts.map((part: unknown) => {
    if (typeof part === 'string') return part === countMark ? part : change(part)
    if (!Array.isArray(part) || typeof part[2] !== 'object' || part[2] === null) return part
    const cases = Object.entries(part[2] as Record<string, unknown>).map(([key, value]) => [
      key,
      typeof value === 'string' ? change(value) : changedParts(value, change),
    ])
    return [part[0] as unknown, part[1] as unknown, Object.fromEntries(cases) as unknown]
  })
}

const lengthened = (text: string): string => {
  const words = text.replaceAll(/\p{L}/gu, (letter) => accented[letter] ?? letter)
  const more = Math.ceil(text.trim().length * 0.4)
  return text.trim() === '' ? text : `${words}${'~'.repeat(more)}`
}

/** Wraps a text into a right-to-left override, so that even Latin letters run from right to left. */
const reversed = (text: string): string => (text.trim() === '' ? text : `\u202E${text}\u202C`)
