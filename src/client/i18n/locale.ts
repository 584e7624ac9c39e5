import { createStore, useStore } from '../state/store.ts'

/** The active language as a BCP 47 tag. When the language changes, all screens are mounted again. */
export const locale = createStore('en')

export const useLocale = (): string => useStore(locale)

/**
 * A cache of formatters by language and purpose. `icelandic-formats.ts` fills it where the browser does not know the
 * language.
 */
export const formatters = new Map<string, unknown>()

/**
 * Returns the formatter for a purpose in the language of the page. It is made once, because creating a formatter is slow
 * and every row uses several formatters.
 */
export function formatterFor<T>(purpose: string, make: (tag: string) => T): T {
  const key = `${locale.get()} ${purpose}`
  if (!formatters.has(key)) formatters.set(key, make(formatTag(locale.get(), navigator.languages)))
  return formatters.get(key) as T
}

/** Returns true when the browser has the number and date formats of a language. Chromium has none of Icelandic. */
export const hasFormats = (tag: string): boolean => Intl.NumberFormat.supportedLocalesOf(tag).length > 0

/**
 * Returns the language tag to pass to `Intl`: the first language of the browser that is a regional form of the active
 * language, so that readers of `en-GB` see the day before the month. Pseudo-languages use the English formats. Icelandic numbers are written
 * as German ones where the browser does not know them.
 */
export function formatTag(tag: string, wanted: readonly string[]): string {
  const plain = /-X[AB]$/.test(tag) ? 'en' : tag
  if (!hasFormats(plain)) return 'de'
  return wanted.find((each) => each.toLowerCase().startsWith(`${plain.toLowerCase()}-`)) ?? plain
}

/** Formats a whole number with grouped digits, for example `1,204`. */
export const formatCount = (count: number): string =>
  formatterFor('count', (tag) => new Intl.NumberFormat(tag)).format(count)
