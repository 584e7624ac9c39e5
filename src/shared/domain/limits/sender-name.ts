import { clientLimits } from './client-limits.ts'

/**
 * Characters that a name must not have: controls with line breaks, lone surrogates, separators of lines and paragraphs, the marks that change the
 * direction of a text, with which a name could rearrange the sentence around it, and characters that have no shape of their own.
 */
const refusedCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u

/**
 * Characters without a shape that change the shape of their neighbours: joiners between emoji, joiners and non-joiners within words, which
 * Persian and Indic names need, and variation selectors behind emoji and Chinese characters.
 */
const shapingCharacters =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<=[\p{L}\p{M}])[\u200C\u200D](?=[\p{L}\p{M}])|(?<=\p{Emoji})[\uFE0E\uFE0F]|(?<=\p{Script=Han})[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu

/** A character that shows something. A braille pattern without dots is a symbol, but shows nothing. */
const visibleCharacter = /[^\s\p{Z}\p{M}\p{C}\u2800]/u

/** Returns true for a name that the owner of a share may show to its guests. An empty name shows none. */
export function isSenderName(name: string): boolean {
  if (name === '') return true
  const shown = name.replace(shapingCharacters, '')
  return (
    Array.from(name).length <= clientLimits.senderNameCharacters &&
    !refusedCharacters.test(shown) &&
    visibleCharacter.test(shown)
  )
}
