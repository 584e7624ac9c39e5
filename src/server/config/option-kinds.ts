import { isIP } from 'node:net'
import { isAccent } from '../../shared/domain/colors/accent.ts'
import { originOf } from '../../shared/domain/origin.ts'

/**
 * The type of an option's value, with the parser for its text. `parse` returns undefined for a text that is not valid.
 */
export type OptionKind<T> = {
  readonly name: string
  /** A description of valid texts, for error messages. */
  readonly expects: string
  readonly parse: (text: string) => T | undefined
  /** Returns the invalid part of a text with several parts, so that the error message can name that part alone. */
  readonly wrongPart?: (text: string) => string | undefined
  /** True for a switch, which needs no value on the command line. */
  readonly isSwitch?: true
}

/** Any text. */
export const text: OptionKind<string> = { name: 'text', expects: 'a text', parse: (text) => text }

/** A secret that cannot be guessed and that fits into a header, or an empty text. */
export const secret: OptionKind<string> = {
  name: 'text',
  expects: '16 to 256 letters, digits and signs without spaces',
  parse: (text) => (text === '' || /^[!-~]{16,256}$/.test(text) ? text : undefined),
}

/** The address of a list of advisories. Only the own machine may be asked without TLS, where nobody on the way can change the list. */
export const advisoryUrl: OptionKind<string> = {
  name: 'text',
  expects: 'an address that begins with https:// and contains no password',
  parse: (text) => (text === '' || isSafeUrl(URL.parse(text)) ? text : undefined),
}

const isSafeUrl = (url: URL | null): boolean =>
  url !== null &&
  url.username + url.password === '' &&
  (url.protocol === 'https:' ||
    (url.protocol === 'http:' && /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)))

/** A colour from which the shades of the pages are computed, or an empty text. */
export const accentColor: OptionKind<string> = {
  name: 'text',
  expects: 'a colour such as #7a1fa2, or an empty text',
  parse: (text) => (isAccent(text) ? text : undefined),
}

const truths = new Map([
  ...['true', 't', '1'].map((text) => [text, true] as const),
  ...['false', 'f', '0'].map((text) => [text, false] as const),
])

/** A switch: `true`, `t`, `1`, `false`, `f` or `0`, in any case. */
export const toggle: OptionKind<boolean> = {
  name: 'switch',
  expects: 'true or false',
  parse: (text) => truths.get(text.toLowerCase()),
  isSwitch: true,
}

/** A switch that also accepts `noauth`, because the container images of File Browser set `FB_NOAUTH=noauth`. */
export const noauthToggle: OptionKind<boolean> = {
  ...toggle,
  parse: (text) => (text.toLowerCase() === 'noauth' ? true : toggle.parse(text)),
}

/** Creates an option kind for whole numbers in a range. Both limits are valid values. */
export const integer = (least: number, most: number): OptionKind<number> => ({
  name: 'number',
  expects: `a whole number from ${least} to ${most}`,
  parse: (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  },
})

/** The number of processes: `auto` or a whole number. */
export const processCount: OptionKind<number | 'auto'> = {
  name: 'number or `auto`',
  expects: 'auto or a whole number from 1 to 64',
  parse: (text) => (text === 'auto' ? text : integer(1, 64).parse(text)),
}

/** Creates an option kind that accepts only the given texts. */
export const oneOf = <const T extends string>(...values: readonly T[]): OptionKind<T> => ({
  name: values.map((value) => `\`${value}\``).join(' or '),
  expects: `one of ${values.map((value) => value || 'an empty text').join(', ')}`,
  parse: (text) => values.find((value) => value === text),
})

/** Splits a text at commas, trims the parts and drops empty parts. */
const partsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** A list of texts separated by commas. */
export const list: OptionKind<readonly string[]> = {
  name: 'list',
  expects: 'a list by comma',
  parse: partsOf,
}

/**
 * Creates an option kind for lists separated by commas. `parse` is called for each part. One invalid part makes the
 * whole list invalid.
 */
const listOf = (
  expects: string,
  read: (part: string) => string | undefined,
): OptionKind<readonly string[]> => ({
  name: 'list',
  expects,
  parse(text) {
    const values = partsOf(text).map(read)
    return values.every((value) => value !== undefined) ? values : undefined
  },
  wrongPart: (text) => partsOf(text).find((part) => read(part) === undefined),
})

/** A list of IP addresses and address ranges. */
export const addresses = listOf('an address or a range such as 10.0.0.0/8', (part) => {
  const [, address = '', bits = '0'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(part) ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits) <= (family === 6 ? 128 : 32) ? part : undefined
})

/** A list of web origins in the notation of browsers, such as `https://files.example.org`. */
export const origins = listOf(
  'an origin such as https://files.example.org',
  (part) => originOf(part) ?? undefined,
)

/** A list of pages that may show another page in a frame, in the notation of the policy `frame-ancestors`. */
export const frameAncestors = listOf('`self` or an origin such as https://dash.example.org', (part) =>
  part === 'self' || part === "'self'" ? "'self'" : (originOf(part) ?? undefined),
)

/** Permission bits. Numbers with a leading zero are octal and all others are decimal, as in File Browser. */
export const mode: OptionKind<number> = {
  name: 'mode',
  expects: 'permission bits such as 0640',
  parse: (text) => {
    const value = /^0o?[0-7]{1,4}$/.test(text) ? Number.parseInt(text.replace('o', ''), 8) : decimalOf(text)
    return value >= 0 && value <= 0o7777 ? value : undefined
  },
}

const decimalOf = (text: string): number => (/^(0|[1-9]\d{0,4})$/.test(text) ? Number(text) : Number.NaN)

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
/** Maximum duration that an option accepts: ten years. */
const maxDurationMs = 10 * 365 * 24 * 3_600_000

/** A duration in the notation of Go (`2h`, `1h30m`, `90s`). The value is in milliseconds. */
export const duration: OptionKind<number> = {
  name: 'duration',
  expects: 'a duration such as 2h, 1h30m or 90s',
  parse: (text) => {
    if (!/^(\d{1,12}(\.\d{1,6})?(ms|h|m|s))+$/.test(text)) return undefined
    let sumMs = 0
    for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)(ms|h|m|s)/g)) {
      sumMs += Number(amount) * (unitsMs[unit] ?? 0)
    }
    return sumMs >= 1 && sumMs <= maxDurationMs ? Math.round(sumMs) : undefined
  },
}

const unitBytes: Readonly<Record<string, number>> = {
  '': 1,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  T: 1024 ** 4,
}

/** A number of bytes, optionally in units of K, M, G or T (powers of 1024); null for `none`. */
export const sizeOrNone: OptionKind<number | null> = {
  name: 'size',
  expects: 'a number of bytes such as 500000, 500M, 20G or 1T, or none',
  parse: (text) => {
    if (text === 'none') return null
    const [, amount, unit = ''] = /^(\d{1,16})([KMGT]?)$/i.exec(text) ?? []
    const bytes = Number(amount) * (unitBytes[unit.toUpperCase()] ?? Number.NaN)
    return amount !== undefined && Number.isSafeInteger(bytes) ? bytes : undefined
  },
}
