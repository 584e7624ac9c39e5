import type { Messages } from '@lingui/core'
import { messages as firstTexts } from './locales/en.po'
import { pseudoLocales, pseudoMessages } from './pseudo.ts'
import { chooseLocale } from './choose-locale.ts'
import { activate, addMessages, locale } from './translate.ts'

/** The English texts that have been loaded. Texts without a translation are shown in English. */
let english: Messages = firstTexts

/** The catalogues by language tag. */
const catalogues: Readonly<Record<string, () => Promise<{ readonly messages: Messages }>>> = {
  en: () => Promise.resolve({ messages: {} }),
}

/**
 * Activates the user's language, or the browser's language when `wanted` is empty. Falls back to English when no
 * catalogue matches.
 */
export async function startLanguage(wanted: string): Promise<void> {
  const pseudo = pseudoLocales.find((tag) => tag === wanted || (wanted === '' && navigator.language === tag))
  if (pseudo !== undefined) {
    if (pseudo !== locale.get()) activate(pseudo, pseudoMessages(pseudo, english))
    return
  }
  const tags = wanted === '' ? navigator.languages : [wanted]
  const tag = chooseLocale(tags, Object.keys(catalogues))
  const load = catalogues[tag]
  if (load === undefined) return
  const { messages } = await load()
  activate(tag, { ...english, ...messages })
}

/** Adds the English texts that `later-texts.ts` loads. Translations that have been loaded keep their place. */
export function addEnglish(texts: Messages): void {
  english = { ...english, ...texts }
  const pseudo = pseudoLocales.find((tag) => tag === locale.get())
  addMessages(pseudo === undefined ? texts : pseudoMessages(pseudo, texts))
}
