const invisible =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu

/**
 * Returns a name for display: invisible characters are written out (`⟨U+202E⟩`), and spaces at its ends become dots.
 */
export function visibleName(name: string): string {
  return name
    .replaceAll(
      invisible,
      (character) => `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )
    .replace(/^ +| +$/g, (spaces) => '·'.repeat(spaces.length))
}

/**
 * Splits a name into the start, which may be shortened, and the end, which is always shown: the extension and the 3
 * characters before it, or the last 6 characters of a name without an extension.
 */
export function partsOfName(name: string): { readonly start: string; readonly end: string } {
  const letters = Array.from(visibleName(name))
  const at = letters.lastIndexOf('.')
  const extension = at > 0 && letters.length - at <= 12 ? letters.length - at : 0
  const kept = letters.length < 12 ? 0 : extension === 0 ? 6 : extension + 3
  const cut = letters.length - kept
  return { start: letters.slice(0, cut).join(''), end: letters.slice(cut).join('') }
}
