import type { PseudoLocale } from './languages.ts'
import type { CompiledMessage } from './render-message.ts'
import type { Texts } from './translate.ts'

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

/** Translates English texts into a pseudo-language without changing placeholders and plural rules. */
export function pseudoMessages(tag: PseudoLocale, english: Texts): Texts {
  const change = tag === 'en-XA' ? lengthened : reversed
  return Object.fromEntries(Object.entries(english).map(([id, message]) => [id, changed(message, change)]))
}

/** Changes the texts inside a compiled message, also those in the cases of a plural or a selection. */
function changed(message: CompiledMessage, change: (text: string) => string): CompiledMessage {
  if (typeof message === 'string') return change(message)
  return message.map((piece) => {
    if (typeof piece === 'string') return change(piece)
    const [name, cases] = piece
    if (cases === undefined) return piece
    const entries = Object.entries(cases).map(([key, each]) => [key, changed(each, change)] as const)
    return [name, Object.fromEntries(entries)]
  })
}

const lengthened = (text: string): string => {
  const words = text.replaceAll(/\p{L}/gu, (letter) => accented[letter] ?? letter)
  const more = Math.ceil(text.trim().length * 0.4)
  return text.trim() === '' ? text : `${words}${'~'.repeat(more)}`
}

/** Wraps a text into a right-to-left override, so that even Latin letters run from right to left. */
const reversed = (text: string): string => (text.trim() === '' ? text : `\u202E${text}\u202C`)
