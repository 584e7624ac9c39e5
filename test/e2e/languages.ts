import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { parseMessage, readCatalogue } from '../../scripts/texts/catalogue.ts'
import { languageTags, type Language } from '../../src/client/i18n/language-list.ts'
import { sameEverywhere, sameWords } from '../architecture/same-words.ts'
import { signIn } from '../kit/browser.ts'
import { ada, type RunningServer } from '../kit/run-server.ts'
import { areAllAppearancesChecked } from './appearances.ts'
import {
  inEachAppearance,
  movementsEnd,
  nextFrames,
  violationsIn,
  violationsInBothThemes,
  type JourneyContext,
} from './journeys.ts'

const widths = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } }

/** Set to a folder, it keeps a picture of every screen in every language there, or in every appearance, to be looked at. */
const pictures = process.env['LANGUAGE_PICTURES'] ?? ''

const texts = Object.fromEntries(
  languageTags.map((tag) => [
    tag,
    new Map(readCatalogue(tag).map(({ id, english, translation }) => [id, translation || english])),
  ]),
) as unknown as Record<Language, ReadonlyMap<string, string>>

/** Returns a function that finds a text without values in the catalogue of a language. */
const textIn = (tag: Language) => (id: string) => (texts[tag].get(id) ?? id).replaceAll("''", "'")

/**
 * The languages of the walks in `npm test`: a script from the right, long words, and a script without spaces.
 * `npm run walk-languages` takes all languages, and `npm run walk-appearances` those in which axe checks each screen.
 */
const walkedAlways: readonly Language[] = ['ar', 'de', 'ja']
const areAllWalked = process.env['WALKED_LANGUAGES'] === 'all'

/**
 * The languages in which axe checks each screen. In `npm test`, this is the one from right to left, whose layout differs most
 * from the English one, which all other journeys check. A check takes as much time as the rest of a screen.
 */
const checkedByAxe: readonly Language[] = areAllAppearancesChecked
  ? ['en', 'ar']
  : areAllWalked
    ? walkedAlways
    : ['ar']

/** Returns the languages of this run for a walk that has some languages in `npm test`. */
function languagesOf(always: readonly Language[]): readonly Language[] {
  if (areAllAppearancesChecked) return checkedByAxe
  return areAllWalked ? languageTags : always
}

/** English texts without placeholders, by which an untranslated text is found on screen. */
const englishTexts = new Set(
  [...texts.en.values()].filter((text) => parseMessage(text).every(({ type }) => type === 'literal')),
)

/** The texts on screen, also those for screen readers, the elements whose text is cut off, and how far the page scrolls sideways. */
const contentOf = (page: Page) =>
  page.evaluate(() => {
    const onlyShown = { visibilityProperty: true }
    const shown: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement
      if (
        parent !== null &&
        !/^(SCRIPT|STYLE|CODE|OPTION)$/.test(parent.tagName) &&
        parent.checkVisibility(onlyShown)
      )
        shown.push((node.textContent ?? '').trim())
    }
    for (const element of document.body.querySelectorAll('[aria-label],[title],[placeholder],[alt]'))
      if (element.checkVisibility(onlyShown))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
          shown.push(element.getAttribute(name)?.trim() ?? '')
    const cut = [
      ...document.body.querySelectorAll<HTMLElement>(
        'button, [role="tab"], th, label, h1, h2, h3, legend, dt',
      ),
    ].filter(
      (element) =>
        element.checkVisibility(onlyShown) &&
        element.scrollWidth > element.clientWidth + 1 &&
        getComputedStyle(element).overflowX !== 'visible' &&
        getComputedStyle(element).textOverflow !== 'ellipsis' &&
        !element.classList.contains('visually-hidden'),
    )
    const { scrollWidth, clientWidth } = document.documentElement
    return {
      shown,
      cut: cut.map((element) => element.outerHTML.slice(0, 120)),
      sideways: scrollWidth - clientWidth,
    }
  })

/** Returns what is wrong with the screen in a language: ids instead of texts, English texts, texts that are cut off. */
async function faultsOf(page: Page, tag: Language): Promise<string[]> {
  const { shown, cut, sideways } = await contentOf(page)
  const same = new Set([...sameEverywhere, ...(sameWords[tag] ?? []), 'Ada', 'Ann'])
  const translations = new Set(texts[tag].values())
  const english = shown.filter(
    (text) => tag !== 'en' && englishTexts.has(text) && !same.has(text) && !translations.has(text),
  )
  const ids = shown.filter((text) => texts.en.has(text))
  // The build replaces ids by numbers, and the browser writes `-3 d` in a language that it does not know.
  const numbers = shown.filter((text) => /^(\d{3,4}|[-+]\d+\s\D+)$/.test(text))
  return [
    ...new Set(english.map((text) => `English: ${text}`)),
    ...ids.map((id) => `id: ${id}`),
    ...numbers.map((text) => `no text: ${text}`),
    ...cut.map((element) => `cut off: ${element}`),
    ...(sideways > 0 ? [`scrolls sideways by ${sideways} px`] : []),
  ]
}

export async function tokenOf({ url }: RunningServer): Promise<string> {
  const body = JSON.stringify({ username: ada.name, password: ada.password })
  return (await fetch(`${url}/api/login`, { method: 'POST', body })).text()
}

/** Sets the language of Ada. */
async function speak(server: RunningServer, locale: string): Promise<void> {
  const token = await tokenOf(server)
  const { user } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    user: { id: number }
  }
  const response = await fetch(`${server.url}/api/users/${user.id}`, {
    method: 'PUT',
    headers: { 'X-Auth': token },
    body: JSON.stringify({
      what: 'user',
      which: ['locale'],
      data: { id: user.id, locale },
      current_password: ada.password,
    }),
  })
  expect(response.status).toBe(200)
}

/** A visit to the screens of a server in a language. `say` returns a text of the language by its id. */
export type Visit = {
  readonly page: Page
  readonly server: RunningServer
  readonly say: (id: string) => string
}

/** A screen: its name, and what opens it. */
export type Step = readonly [name: string, open: (visit: Visit) => Promise<unknown>]

export type Walk = {
  /** The screens that are visited before somebody signs in. */
  readonly asGuest?: (server: RunningServer) => Promise<readonly Step[]>
  readonly steps: readonly Step[]
  /** Matches the names of the screens that are visited in the wide window only, to save time. */
  readonly onlyWide: RegExp
  /** The languages of the walk in `npm test`, where they differ from the usual ones. */
  readonly always?: readonly Language[]
  /** True when axe checks the screens in `npm test` in the dark theme, too, and not only in the light one. */
  readonly isCheckedInDark?: boolean
}

/** Registers a journey for each language, which walks through screens and finds texts that are untranslated or cut off. */
export function walkInLanguages(
  { server, freshWindow }: Pick<JourneyContext, 'server' | 'freshWindow'>,
  walk: Walk,
): void {
  describe.each(languagesOf(walk.always ?? walkedAlways))('%s', (tag) => {
    test(
      'every screen is translated, fits into the window, and shows no text cut off',
      async () => {
        await speak(server(), tag)
        const page = await freshWindow({ viewport: widths.wide, locale: tag, reducedMotion: 'reduce' })
        const found: string[] = []
        const look = async (name: string, width: keyof typeof widths) => {
          found.push(...(await faultsOf(page, tag)).map((fault) => `${name} (${width}): ${fault}`))
          if (checkedByAxe.includes(tag) && (width === 'wide' || areAllAppearancesChecked)) {
            const violations =
              walk.isCheckedInDark === true
                ? await violationsInBothThemes(page)
                : await violationsIn(page, 'light')
            found.push(...violations.map((violation) => `${name} (${width}): ${violation}`))
          }
          if (pictures !== '') await keepPictures(page, `${name} ${tag} ${width}`)
        }
        const visit = async ([name, open]: Step) => {
          await open({ page, server: server(), say: textIn(tag) })
          await look(name, 'wide')
          if (walk.onlyWide.test(name)) return
          await resize(page, 'narrow')
          await look(name, 'narrow')
          await resize(page, 'wide')
        }
        for (const step of (await walk.asGuest?.(server())) ?? []) await visit(step)
        await signIn(page, server(), ada)
        for (const step of walk.steps) await visit(step)
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(tag)
        expect(found).toEqual([])
      },
      areAllAppearancesChecked ? 900_000 : 180_000,
    )
  })
}

/** Gives the window of an open screen another width, and waits until the screen has its new layout. */
async function resize(page: Page, width: keyof typeof widths): Promise<void> {
  await page.setViewportSize(widths[width])
  await nextFrames(page)
  await movementsEnd(page)
}

async function keepPictures(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true })
  const keep = (file: string) =>
    page.screenshot({ path: path.join(pictures, `${file.replaceAll('/', '-')}.png`) })
  if (areAllAppearancesChecked) await inEachAppearance(page, ({ name: look }) => keep(`${name} ${look}`))
  else await keep(name)
}

export const dialogOf = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))
export const closeDialog = async (page: Page) => {
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'hidden' })
}
