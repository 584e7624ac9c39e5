import { isIP } from 'node:net'
import { originOf } from '../../shared/domain/origin.ts'

/** How the text of an option becomes a value; `undefined` for a text that is none. */
export type Kind<T> = {
  readonly name: string
  /** What a good text is, to say when one is not. */
  readonly expects: string
  readonly parse: (text: string) => T | undefined
  /** Of a text with several parts the one that is wrong, to name it alone. */
  readonly wrongPart?: (text: string) => string | undefined
  /** A switch needs no value behind it. */
  readonly isSwitch?: true
}

export const text: Kind<string> = { name: 'text', expects: 'a text', parse: (text) => text }

const truths = new Map([
  ...['true', 't', '1'].map((text) => [text, true] as const),
  ...['false', 'f', '0'].map((text) => [text, false] as const),
])

export const toggle: Kind<boolean> = {
  name: 'switch',
  expects: 'true or false',
  parse: (text) => truths.get(text.toLowerCase()),
  isSwitch: true,
}

/** The old images were told `FB_NOAUTH=noauth`. */
export const noauthToggle: Kind<boolean> = {
  ...toggle,
  parse: (text) => (text.toLowerCase() === 'noauth' ? true : toggle.parse(text)),
}

export const integer = (least: number, most: number): Kind<number> => ({
  name: 'number',
  expects: `a whole number from ${least} to ${most}`,
  parse: (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  },
})

export const oneOf = <const T extends string>(...values: readonly T[]): Kind<T> => ({
  name: values.map((value) => `\`${value}\``).join(' or '),
  expects: `one of ${values.map((value) => value || 'an empty text').join(', ')}`,
  parse: (text) => values.find((value) => value === text),
})

/** By comma; spaces around and empty parts don't count. */
const partsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const list: Kind<readonly string[]> = { name: 'list', expects: 'a list by comma', parse: partsOf }

/** A list of which every part is read; one that cannot be makes the whole list wrong. */
const listOf = (expects: string, read: (part: string) => string | undefined): Kind<readonly string[]> => ({
  name: 'list',
  expects,
  parse(text) {
    const values = partsOf(text).map(read)
    return values.every((value) => value !== undefined) ? values : undefined
  },
  wrongPart: (text) => partsOf(text).find((part) => read(part) === undefined),
})

/** Addresses and ranges of them. */
export const addresses = listOf('an address or a range such as 10.0.0.0/8', (part) => {
  const [, address = '', bits = '0'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(part) ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits) <= (family === 6 ? 128 : 32) ? part : undefined
})

/** Origins that a browser may name. */
export const origins = listOf(
  'an origin such as https://files.example.org',
  (part) => originOf(part) ?? undefined,
)

/** Permission bits, octal after a leading zero and decimal otherwise, as the original read them. */
export const mode: Kind<number> = {
  name: 'mode',
  expects: 'permission bits such as 0640',
  parse: (text) => {
    const value = /^0o?[0-7]{1,4}$/.test(text) ? Number.parseInt(text.replace('o', ''), 8) : decimalOf(text)
    return value >= 0 && value <= 0o7777 ? value : undefined
  },
}

const decimalOf = (text: string): number => (/^(0|[1-9]\d{0,4})$/.test(text) ? Number(text) : Number.NaN)

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
const longestMs = 10 * 365 * 24 * 3_600_000

/** Written as Go writes them (`2h`, `1h30m`, `90s`); the value is in milliseconds. */
export const duration: Kind<number> = {
  name: 'duration',
  expects: 'a duration such as 2h, 1h30m or 90s',
  parse: (text) => {
    if (!/^(\d{1,12}(\.\d{1,6})?(ms|h|m|s))+$/.test(text)) return undefined
    let sumMs = 0
    for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)(ms|h|m|s)/g)) {
      sumMs += Number(amount) * (unitsMs[unit] ?? 0)
    }
    return sumMs >= 1 && sumMs <= longestMs ? Math.round(sumMs) : undefined
  },
}

const unitBytes: Readonly<Record<string, number>> = {
  '': 1,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  T: 1024 ** 4,
}

/** Bytes, or so many K, M, G or T of 1024 each; null for `none`. */
export const sizeOrNone: Kind<number | null> = {
  name: 'size',
  expects: 'a number of bytes such as 500000, 500M, 20G or 1T, or none',
  parse: (text) => {
    if (text === 'none') return null
    const [, amount, unit = ''] = /^(\d{1,16})([KMGT]?)$/i.exec(text) ?? []
    const bytes = Number(amount) * (unitBytes[unit.toUpperCase()] ?? Number.NaN)
    return amount !== undefined && Number.isSafeInteger(bytes) ? bytes : undefined
  },
}
