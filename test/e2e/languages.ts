import { mkdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseMessage, readCatalogue } from '../../scripts/texts/catalogue.ts'
import { languageTags, type Language } from '../../src/client/i18n/language-list.ts'
import { sameEverywhere, sameWords } from '../architecture/same-words.ts'
import { rowOf, signIn } from '../kit/browser.ts'
import { transparentPng } from '../kit/images.ts'
import { ada, ann, type RunningServer } from '../kit/run-server.ts'
import { atRoot, movementsEnd, nextFrames, violationsIn } from './journeys.ts'

const widths = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } }

/** Set to a folder, it keeps a picture of every screen in every language there, to be looked at. */
const pictures = process.env['LANGUAGE_PICTURES'] ?? ''

const texts = Object.fromEntries(
  languageTags.map((tag) => [
    tag,
    new Map(readCatalogue(tag).map(({ id, english, translation }) => [id, translation || english])),
  ]),
) as unknown as Record<Language, ReadonlyMap<string, string>>

/** Returns a function that finds a text without values in the catalogue of a language. */
const textIn = (tag: Language) => (id: string) => (texts[tag].get(id) ?? id).replaceAll("''", "'")

/** The languages whose screens axe checks: a script from the right, long words, and a script without spaces. */
const checkedByAxe: readonly Language[] = ['ar', 'de', 'ja']

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

async function tokenOf({ url }: RunningServer): Promise<string> {
  const body = JSON.stringify({ username: ada.name, password: ada.password })
  return (await fetch(`${url}/api/login`, { method: 'POST', body })).text()
}

/** Shares an entry as Ada and returns the path of the link. */
async function shareOf(server: RunningServer, entry: string, options: object): Promise<string> {
  const response = await fetch(`${server.url}/api/share/${entry}`, {
    method: 'POST',
    headers: { 'X-Auth': await tokenOf(server) },
    body: JSON.stringify(options),
  })
  return `/share/${((await response.json()) as { hash: string }).hash}`
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

const files = {
  zeta: { 'q.png': await transparentPng(), 'w.txt': 'q' },
  'k.png': await transparentPng(),
  'j.txt': 'q\n',
  'y.zip': Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64'),
}

/** The screens that are visited in the wide window only, to save time. */
const onlyWide = /palette|help|context/

/** Prompts that are visited in the wide window only, and in every language only when pictures are kept, to save time. */
const extended = /share form|information|copy|compress|extract|new folder|rename/
const extendedIn: readonly Language[] = ['ar', 'de', 'ja', 'ru']

type Visit = { readonly page: Page; readonly server: RunningServer; readonly say: (id: string) => string }
type Step = readonly [name: string, open: (visit: Visit) => Promise<unknown>]

const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))
const closeDialog = async (page: Page) => {
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'hidden' })
}
/** Gives the window of an open screen another width, and waits until the screen has its new layout. */
async function resize(page: Page, width: keyof typeof widths): Promise<void> {
  await page.setViewportSize(widths[width])
  await nextFrames(page)
  await movementsEnd(page)
}
const select = (page: Page, name: RegExp) => page.locator(`[role="row"][data-name="${name.source}"]`).click()
const prompt = (name: string, entry: string, action: string): Step => [
  name,
  async ({ page, say }) => {
    await closeDialog(page)
    await page.locator(`[role="row"][data-name="${entry}"]`).click({ button: 'right' })
    await page.getByRole('menuitem', { name: say(action), exact: true }).click()
    await dialog(page).waitFor()
  },
]
const settings = (name: string, wait: (visit: Visit) => Promise<unknown>): Step => [
  `settings ${name}`,
  async (visit) => {
    await visit.page.goto(`${visit.server.url}/settings/${name}`)
    await wait(visit)
  },
]
const headingOf =
  (id: string) =>
  ({ page, say }: Visit) =>
    page
      .getByRole('heading', { name: say(id), exact: true })
      .first()
      .waitFor()

const steps: readonly Step[] = [
  ['listing', ({ page }) => rowOf(page, /j\.txt/).waitFor()],
  [
    'context menu',
    async ({ page }) => {
      await page.locator('[role="row"][data-name="j.txt"]').click({ button: 'right' })
      await page.getByRole('menu').waitFor()
    },
  ],
  [
    'delete',
    async ({ page }) => {
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'hidden' })
      await select(page, /zeta/)
      await page.keyboard.press('Delete')
      await dialog(page).waitFor()
    },
  ],
  [
    'share',
    async ({ page, say }) => {
      await closeDialog(page)
      await page.locator('[role="row"][data-name="zeta"]').click({ button: 'right' })
      await page.getByRole('menuitem', { name: say('action.share'), exact: true }).click()
      await dialog(page).getByRole('button').nth(2).waitFor()
    },
  ],
  [
    'share form',
    async ({ page, say }) => {
      await dialog(page)
        .getByRole('button', { name: say('share.new'), exact: true })
        .click()
      await dialog(page).locator('input[type="password"]').waitFor()
    },
  ],
  [
    'information',
    async ({ page }) => {
      // The first press ends the form, the second the dialog with the links.
      await page.keyboard.press('Escape')
      await closeDialog(page)
      await page.locator(`[role="row"][data-name="j.txt"]`).click()
      await page.keyboard.press('Alt+Enter')
      await dialog(page).waitFor()
    },
  ],
  prompt('copy', 'j.txt', 'action.copy'),
  prompt('compress', 'zeta', 'action.compress'),
  prompt('extract', 'y.zip', 'action.extract'),
  [
    'new folder',
    async ({ page, say }) => {
      await closeDialog(page)
      await page
        .getByRole('navigation')
        .getByRole('button', { name: say('action.new-folder'), exact: true })
        .click()
      await dialog(page).getByRole('textbox').waitFor()
    },
  ],
  [
    'help',
    async ({ page }) => {
      await closeDialog(page)
      await page.keyboard.press('F1')
      await dialog(page).waitFor()
    },
  ],
  [
    'palette',
    async ({ page }) => {
      await closeDialog(page)
      await page.keyboard.press('Control+K')
      await dialog(page).getByRole('listbox').waitFor()
    },
  ],
  [
    'rename several',
    async ({ page, say }) => {
      await closeDialog(page)
      await page.locator('[role="row"][data-name="j.txt"]').click()
      await page.locator('[role="row"][data-name="k.png"]').click({ modifiers: ['Control'] })
      await page.locator('[role="row"][data-name="k.png"]').click({ button: 'right' })
      await page.getByRole('menuitem', { name: say('action.rename-several'), exact: true }).click()
      await dialog(page).getByRole('textbox').first().waitFor()
    },
  ],
  [
    'file',
    async ({ page, server }) => {
      await page.goto(`${server.url}/files/k.png`)
      await page.getByRole('img').first().waitFor()
    },
  ],
  [
    'editor',
    async ({ page, server }) => {
      await page.goto(`${server.url}/files/j.txt`)
      await page.locator('.cm-content').waitFor()
    },
  ],
  [
    'missing',
    async ({ page, server }) => {
      await page.goto(`${server.url}/files/missing`)
      await page.locator('main h1, main h2').first().waitFor()
    },
  ],
  settings('profile', headingOf('settings.preferences')),
  settings('shares', ({ page }) => page.locator('tbody tr').first().waitFor()),
  settings('global', headingOf('settings.branding')),
  settings('users', ({ page }) => page.getByText('ann', { exact: true }).first().waitFor()),
  settings('users/new', headingOf('settings.users.newTitle')),
  settings('audit', ({ page }) => page.locator('tbody tr').first().waitFor()),
]

const guestSteps = (links: readonly string[]): readonly Step[] => [
  [
    'login',
    async ({ page, server }) => {
      await page.goto(`${server.url}/login`)
      await page.locator('input[name="password"]').waitFor()
    },
  ],
  ...['album', 'drop', 'locked'].map((name, at): Step => [
    `share ${name}`,
    async ({ page, server }) => {
      await page.goto(`${server.url}${links[at]}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  ]),
]

const shortWalks = languageTags.filter((tag) => !extendedIn.includes(tag))
const half = Math.ceil(shortWalks.length / 2)

/** All languages in three groups. Each group has a test file, because a worker runs a file alone. */
export const languageGroups = {
  extended: extendedIn,
  first: shortWalks.slice(0, half),
  second: shortWalks.slice(half),
}

/** Registers a journey for each language, which walks through the screens and finds texts that are untranslated or cut off. */
export function walkThroughScreens(tags: readonly Language[]): void {
  atRoot({ files, people: [ada, ann], flags: ['--disableExec=false'] }, ({ server, freshWindow }) => {
    const links = async () =>
      Promise.all([
        shareOf(server(), 'zeta/', { expires: '3', unit: 'days' }),
        shareOf(server(), 'zeta/', { mode: 'upload-only', maxFiles: 3 }),
        shareOf(server(), 'zeta/', { password: 'a long password' }),
      ])

    beforeAll(() => {
      const threeDaysAgoS = Date.now() / 1000 - 3 * 24 * 60 * 60
      utimesSync(path.join(server().folder, 'j.txt'), threeDaysAgoS, threeDaysAgoS)
    })

    describe.each(tags)('%s', (tag) => {
      test('every screen is translated, fits into the window, and shows no text cut off', async () => {
        const found: string[] = []
        const page = await freshWindow({ viewport: widths.wide, locale: tag, reducedMotion: 'reduce' })
        const look = async (name: string, width: keyof typeof widths) => {
          found.push(...(await faultsOf(page, tag)).map((fault) => `${name} (${width}): ${fault}`))
          if (checkedByAxe.includes(tag) && width === 'wide')
            found.push(...(await violationsIn(page, 'light')).map((rule) => `${name}: ${rule}`))
          if (pictures === '') return
          mkdirSync(pictures, { recursive: true })
          await page.screenshot({
            path: path.join(pictures, `${name.replace('/', '-')} ${tag} ${width}.png`),
          })
        }
        const visit = async (list: readonly Step[]) => {
          for (const [name, open] of list) {
            await open({ page, server: server(), say: textIn(tag) })
            await look(name, 'wide')
            if (onlyWide.test(name) || extended.test(name)) continue
            await resize(page, 'narrow')
            await look(name, 'narrow')
            await resize(page, 'wide')
          }
        }
        await speak(server(), tag)
        await visit(guestSteps(await links()))
        await signIn(page, server(), ada)
        const isExtended = pictures !== '' || extendedIn.includes(tag)
        await visit(steps.filter(([name]) => isExtended || !extended.test(name)))
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(tag)
        expect(found).toEqual([])
      }, 180_000)
    })
  })
}
