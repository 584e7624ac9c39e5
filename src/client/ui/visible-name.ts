const invisible =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu

/**
 * The places where a zero-width joiner or non-joiner changes the drawing of its neighbours: between pictographs (Unicode
 * Technical Standard 51) and within words of the Arabic and Indic scripts (Unicode Standard Annex 31, 2.3).
 */
const joinerInUse =
  /(?<=\p{ExtPict}(?:\uFE0F|\p{EMod})?)\u200D(?=\p{ExtPict})|(?<=[\u0600-\u08FF\u0900-\u0DFF])[\u200C\u200D](?=[\u0600-\u08FF\u0900-\u0DFF])/gu

/** Matches a name of printable ASCII characters without a space at either end. Such a name is displayed as it is. */
const plainName = /^[!-~](?:[ -~]*[!-~])?$/

/**
 * Returns a name for display: invisible characters are written out (`⟨U+202E⟩`), and spaces at its ends become dots.
 */
export function visibleName(name: string): string {
  if (plainName.test(name)) return name
  const joiners = new Set(Array.from(name.matchAll(joinerInUse), ({ index }) => index))
  return name
    .replaceAll(invisible, (character, index: number) =>
      joiners.has(index)
        ? character
        : `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )
    .replace(/^ +| +$/g, (spaces) => '·'.repeat(spaces.length))
}

/** Divides a text into the characters that a reader sees. */
export const segmenter = new Intl.Segmenter()

/** Splits a text into the characters that a reader sees. */
const charactersOf = (text: string): string[] =>
  /^[ -~]*$/.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment)

/** The blocks of scripts that are written from right to left, such as Hebrew and Arabic. */
export const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/**
 * Splits a name into the start, which may be shortened, and the end, which is always shown: the extension and the 3
 * characters before it, or the last 6 characters of a name without an extension. A name with right-to-left text has no
 * separate end, because the browser can only order the characters of both directions when they are in one paragraph.
 */
export function partsOfName(name: string): { readonly start: string; readonly end: string } {
  const shown = visibleName(name)
  if (rightToLeft.test(shown)) return { start: shown, end: '' }
  const letters = charactersOf(shown)
  const at = letters.lastIndexOf('.')
  const extension = at > 0 && letters.length - at <= 12 ? letters.length - at : 0
  const kept = letters.length < 12 ? 0 : extension === 0 ? 6 : extension + 3
  const cut = letters.length - kept
  return { start: letters.slice(0, cut).join(''), end: letters.slice(cut).join('') }
}
