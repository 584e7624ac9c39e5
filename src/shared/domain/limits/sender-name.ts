import { clientLimits } from './client-limits.ts'

/**
 * Characters that a name must not have: controls with line breaks, lone surrogates, separators of lines and paragraphs, and the marks that change the
 * direction of a text, with which a name could rearrange the sentence around it.
 */
const refusedCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Returns true for a name that the owner of a share may show to its guests. An empty name shows none. */
export const isSenderName = (name: string): boolean =>
  Array.from(name).length <= clientLimits.senderNameCharacters && !refusedCharacters.test(name)
