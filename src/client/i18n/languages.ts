import { languageTags, textFileOf } from 'virtual:texts'
import { texts as firstTexts } from 'virtual:texts/first'
import { waitForTexts } from '../state/parts/text-loading.ts'
import { chooseLocale } from './choose-locale.ts'
import { hasFormats, locale } from './locale.ts'
import type { TextPart, TextRuns } from './text-part.ts'
import { activate, addTexts, type Texts } from './translate.ts'

/** The English texts that have been loaded. Texts without a translation are shown in English. */
let english: Texts = textsOf(firstTexts)

/** The parts of the catalogue whose English texts have been loaded. */
const loadedParts = new Set<TextPart>(['first'])

/** The translated texts that have been loaded, by language and part, for example `pt-br later`. */
const translations = new Map<string, Texts>()

/**
 * Artificial languages for testing: `en-XA` has long accented words, and `ar-XB` runs from right to left. They show
 * which layouts a translation would break.
 */
const pseudoLocales = ['en-XA', 'ar-XB'] as const
export type PseudoLocale = (typeof pseudoLocales)[number]

/** Translates texts into the active pseudo-language. Null while another language is active. */
let inPseudoLocale: ((texts: Texts) => Texts) | null = null

/** The language that was wanted last. A language whose texts arrive later than those of the wanted one is ignored. */
let wantedTag = 'en'

/** The time after which texts that could not be loaded are requested once more, in milliseconds. */
const retryAfterMs = 10_000

/** True after texts could not be loaded. They are requested only once more. */
let hasFailed = false

/**
 * Activates the user's language, or the browser's language when `wanted` is empty. Falls back to the language of the server
 * when no catalogue matches, and to English while the texts of the language cannot be loaded.
 */
export async function startLanguage(wanted: string, ofServer = 'en'): Promise<void> {
  const pseudo = pseudoLocales.find((tag) => tag === wanted || (wanted === '' && navigator.language === tag))
  const tag =
    pseudo ?? chooseLocale(wanted === '' ? [...navigator.languages, ofServer] : [wanted], languageTags)
  wantedTag = tag
  const isLoaded = pseudo === undefined ? await loadTranslations(tag) : await startPseudoLocale(pseudo)
  if (wantedTag !== tag) return
  if (pseudo === undefined) inPseudoLocale = null
  activate(isLoaded ? tag : 'en', textsIn(tag))
}

async function startPseudoLocale(tag: PseudoLocale): Promise<boolean> {
  const { pseudoMessages } = await import('./pseudo.ts')
  inPseudoLocale = (texts) => pseudoMessages(tag, texts)
  return true
}

/** Returns the loaded texts of a language. English texts stand for those that have no translation. */
function textsIn(tag: string): Texts {
  if (inPseudoLocale !== null) return inPseudoLocale(english)
  const translated = Array.from(loadedParts, (part) => translations.get(`${tag} ${part}`) ?? {})
  return Object.assign({}, english, ...translated) as Texts
}

/** Loads the texts of a language for all parts whose English texts have been loaded. Returns false when that fails. */
async function loadTranslations(tag: string): Promise<boolean> {
  if (tag === 'en') return true
  const missing = [...loadedParts].filter((part) => !translations.has(`${tag} ${part}`))
  if (missing.length === 0) return true
  try {
    if (!hasFormats(tag)) await import('./icelandic-formats.ts')
    await Promise.all(missing.map((part) => loadPart(tag, part)))
  } catch {
    if (!hasFailed) setTimeout(() => void startLanguage(wantedTag), retryAfterMs)
    hasFailed = true
    return false
  }
  return loadTranslations(tag)
}

async function loadPart(tag: string, part: TextPart): Promise<void> {
  const response = await fetch(textFileOf(tag, part))
  if (!response.ok) throw new Error(`The texts of ${tag} could not be loaded (${response.status}).`)
  translations.set(`${tag} ${part}`, textsOf((await response.json()) as TextRuns))
}

/**
 * Adds the English texts of a part of the catalogue, and loads its texts in the active language. Parts of the page wait
 * for them before they are shown, but not when they cannot be loaded.
 */
export const addPart = (part: TextPart, runs: TextRuns): void => waitForTexts(addTranslatedPart(part, runs))

async function addTranslatedPart(part: TextPart, runs: TextRuns): Promise<void> {
  const texts = textsOf(runs)
  loadedParts.add(part)
  english = { ...texts, ...english }
  addTexts(inPseudoLocale === null ? texts : inPseudoLocale(texts))
  const tag = wantedTag
  if (inPseudoLocale === null && tag === locale.get() && (await loadTranslations(tag)) && tag === wantedTag)
    addTexts(textsIn(tag))
}

/** Returns the texts of a file by their numbers. */
function textsOf(runs: TextRuns): Texts {
  const numbered = runs.flatMap(([first, texts]) => texts.map((text, at) => [first + at, text] as const))
  return Object.fromEntries(numbered)
}
