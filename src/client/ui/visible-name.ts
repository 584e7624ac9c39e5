const invisible =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu

/** A name as shown: what cannot be seen is written out (`⟨U+202E⟩`), spaces at its ends are dots. */
export function visibleName(name: string): string {
  return name
    .replaceAll(
      invisible,
      (character) => `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )
    .replace(/^ +| +$/g, (spaces) => '·'.repeat(spaces.length))
}

/** The part that may be cut short, and the end that always shows: the extension and a few letters before it. */
export function partsOfName(name: string): { readonly start: string; readonly end: string } {
  const letters = Array.from(visibleName(name))
  const at = letters.lastIndexOf('.')
  const extension = at > 0 && letters.length - at <= 12 ? letters.length - at : 0
  const kept = letters.length < 12 ? 0 : extension === 0 ? 6 : extension + 3
  const cut = letters.length - kept
  return { start: letters.slice(0, cut).join(''), end: letters.slice(cut).join('') }
}
