/**
 * Matches strings that may need escape sequences, including all strings with surrogates, and are therefore written by `JSON.stringify`. All other strings
 * are copied unchanged, which is faster.
 */
const needsEscape = /[\u0000-\u001F"\\\uD800-\uDFFF]/

/** Returns the JSON notation of a string, without the quotation marks. */
export const escapedText = (text: string): string =>
  needsEscape.test(text) ? JSON.stringify(text).slice(1, -1) : text

const dayMs = 86_400_000
const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
const threeDigits = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))
/** The latest time that can be formatted, 9999-12-31T23:59:59.999Z, in ms since 1970. */
const latestMs = 253_402_300_799_999
/** The earliest time that can be formatted, 0000-01-01T00:00:00.000Z, in ms since 1970. */
const earliestMs = -62_167_219_200_000

/**
 * Returns a function that formats times like `Date.prototype.toISOString`, but several times faster, because the
 * formatted date is cached. Entries of one folder often have the same date. Times outside the years 0000 to 9999 are
 * clamped to that range.
 */
export function createIsoFormatter(): (ms: number) => string {
  let lastDay = Number.NaN
  let dayText = ''
  return (ms) => {
    // An invalid time (NaN) is written as 1970-01-01.
    const time = Math.floor(Math.min(Math.max(ms, earliestMs), latestMs)) || 0
    const day = Math.floor(time / dayMs)
    if (day !== lastDay) {
      lastDay = day
      dayText = new Date(day * dayMs).toISOString().slice(0, 11)
    }
    const msOfDay = time - day * dayMs
    const seconds = Math.floor(msOfDay / 1000)
    const minutes = Math.floor(seconds / 60)
    const hours = Math.floor(minutes / 60)
    return `${dayText}${twoDigits[hours]}:${twoDigits[minutes - hours * 60]}:${twoDigits[seconds - minutes * 60]}.${threeDigits[msOfDay - seconds * 1000]}Z`
  }
}
