import { messages as english } from './locales/en.po'
import { pseudoLocales, pseudoMessages } from './pseudo.ts'
import { chooseLocale } from './choose-locale.ts'
import { activate, locale } from './translate.ts'

/** The catalogues by language tag. */
const catalogues: Readonly<Record<string, () => Promise<{ readonly messages: typeof english }>>> = {
  en: () => Promise.resolve({ messages: english }),
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
