import type { Messages } from '@lingui/core'
import { messages as firstTexts } from './locales/en.po'
import type { pseudoMessages } from './pseudo.ts'
import { chooseLocale } from './choose-locale.ts'
import { activate, addMessages, locale } from './translate.ts'

/** The English texts that have been loaded. Texts without a translation are shown in English. */
let english: Messages = firstTexts

/**
 * Artificial languages for testing: `en-XA` has long accented words, and `ar-XB` runs from right to left. They show
 * which layouts a translation would break.
 */
const pseudoLocales = ['en-XA', 'ar-XB'] as const
export type PseudoLocale = (typeof pseudoLocales)[number]

/** Translates texts into the active pseudo-language. Returns them unchanged while another language is active. */
let inPseudoLocale: (texts: Messages) => Messages = (texts) => texts

/** The catalogues by language tag. */
const catalogues: Readonly<Record<string, () => Promise<{ readonly messages: Messages }>>> = {
  en: () => Promise.resolve({ messages: {} }),
}

/** The tags of the languages that have a catalogue. */
export const supportedLanguages: readonly string[] = Object.keys(catalogues)

/**
 * Activates the user's language, or the browser's language when `wanted` is empty. Falls back to English when no
 * catalogue matches.
 */
export async function startLanguage(wanted: string): Promise<void> {
  const pseudo = pseudoLocales.find((tag) => tag === wanted || (wanted === '' && navigator.language === tag))
  if (pseudo !== undefined) {
    if (pseudo !== locale.get()) startPseudoLocale(pseudo, (await import('./pseudo.ts')).pseudoMessages)
    return
  }
  const tags = wanted === '' ? navigator.languages : [wanted]
  const tag = chooseLocale(tags, Object.keys(catalogues))
  const load = catalogues[tag]
  if (load === undefined) return
  const { messages } = await load()
  inPseudoLocale = (texts) => texts
  activate(tag, { ...english, ...messages })
}

function startPseudoLocale(tag: PseudoLocale, translate: typeof pseudoMessages): void {
  inPseudoLocale = (texts) => translate(tag, texts)
  activate(tag, inPseudoLocale(english))
}

/** Adds the English texts that `later-texts.ts` loads. Translations that have been loaded keep their place. */
export function addEnglish(texts: Messages): void {
  english = { ...english, ...texts }
  addMessages(inPseudoLocale(texts))
}
