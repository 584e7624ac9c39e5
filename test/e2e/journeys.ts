import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axeCore from 'axe-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Clock,
  Frame,
  Locator,
  Page,
} from 'playwright-core'
import { defaultViewport, newWindow, openBrowser, pageProblems, recordProblems } from '../kit/browser.ts'
import { runServer, unusedPort, type RunningServer, type ServerOptions } from '../kit/run-server.ts'
import { appearances, areAllAppearancesChecked, faintPartsIn, type Appearance } from './appearances.ts'

export type JourneyContext = {
  readonly server: () => RunningServer
  /**
   * Opens a window without cookies and storage. Each further window of a journey has another profile. Script errors on its
   * page make the journey fail. Movements are short, as for users who prefer this, because each frame of a movement takes time: journeys
   * about menus, dialogs, notices and videos ask for all movements with `withMotion`.
   */
  readonly window: (options?: BrowserContextOptions) => Promise<Page>
  /** Opens a window in a new profile that no other journey uses, for journeys that change their page for good. */
  readonly freshWindow: (options?: BrowserContextOptions) => Promise<Page>
  /**
   * Registers a journey that does not depend on the server's URL. It runs only with the server at the root, and not
   * below a base path.
   */
  readonly testAtRoot: typeof test
}

/**
 * Registers the same journeys twice: once with the server at the root of its host, and once with the server below a
 * base path.
 */
export function everywhere(options: ServerOptions, journeys: (context: JourneyContext) => void): void {
  atRoot(options, journeys)
  register('below a base path', { ...options, basePath: '/fm' }, (context) =>
    journeys({ ...context, testAtRoot: registersNothing }),
  )
}

/** Registers journeys with the server at the root of its host, for screens that do not depend on the server's URL. */
export function atRoot(options: ServerOptions, journeys: (context: JourneyContext) => void): void {
  register('at the root', options, journeys)
}

const registersNothing = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof test

/**
 * The pages that are the windows of the journeys, by `keyOf`. A page that has run the client before opens it with less than a
 * quarter of the work of a new page: it has the scripts and their compiled form in its caches. All journeys of this
 * process use the pages, one after the other, so their servers have the same port. Empty until a journey opens a window,
 * and after a failure.
 */
const shared = new Map<string, Page>()

/** Returns the key of a shared page: its place among the windows of a journey, and what its profile cannot change later. */
const keyOf = (place: number, profile: BrowserContextOptions): string => `${place} ${JSON.stringify(profile)}`

/** The page that most journeys use. It stays where it is after a journey, because the next one opens another address in it. */
const usualKey = keyOf(0, {})

/** The options of a window with all movements. */
export const withMotion = { reducedMotion: 'no-preference' } satisfies BrowserContextOptions

/**
 * Registers journeys that share a server.
 */
function register(title: string, options: ServerOptions, journeys: (context: JourneyContext) => void): void {
  describe.each([title])('%s', () => {
    let server: RunningServer
    let browser: Browser
    let open: Page[] = []
    let places = 0
    let hasFailed = false
    beforeAll(async () => {
      ;[browser, server] = await Promise.all([browserOfWorker(), startServer(options)])
    })
    afterEach(async ({ task }) => {
      const problems = open.flatMap((page) => pageProblems.get(page) ?? [])
      hasFailed = task.result?.state === 'fail' || problems.length > 0
      const contexts = new Set([...open, ...shared.values()].map((page) => page.context()))
      for (const [key, page] of shared) if (hasFailed || page.isClosed()) shared.delete(key)
      await Promise.all([...contexts].map(endJourneyIn))
      open = []
      places = 0
      // One text, because a list of failed tests shows the first line of a message, which names no members of an array.
      expect(problems.join('; ')).toBe('')
    })
    afterAll(async () => {
      const last = [...shared]
      shared.clear()
      try {
        // The page of the last journey would connect to the next server as soon as it listens.
        await Promise.all(last.map(([, page]) => leave(page)))
        for (const [key, page] of last) shared.set(key, page)
      } finally {
        // Each further file of this process needs the port.
        await server.remove()
      }
    })
    const use = (page: Page): Page => {
      page.setDefaultTimeout(longestWaitMs)
      open.push(page)
      return page
    }
    const freshWindow = async (contextOptions?: BrowserContextOptions) =>
      use(await newWindow(browser, contextOptions))
    // An attempt that failed may have changed the files or stopped the server. The second attempt needs what the first had.
    beforeEach(async () => {
      if (!hasFailed) return
      hasFailed = false
      await server.remove()
      server = await startServer(options)
    })
    journeys({
      server: () => server,
      window: async (contextOptions = {}) => {
        const {
          viewport = defaultViewport,
          colorScheme = null,
          reducedMotion = 'reduce',
          ...profile
        } = contextOptions
        const key = keyOf(places, profile)
        places += 1
        const page = shared.get(key) ?? forbidLastingChanges(await newWindow(browser, profile))
        shared.set(key, page)
        await clear(page, server)
        await Promise.all([
          page.setViewportSize(viewport ?? defaultViewport),
          page.emulateMedia({ ...noEmulation, colorScheme, reducedMotion }),
        ])
        return use(page)
      },
      freshWindow,
      testAtRoot: test,
    })
  })
}

/** Closes a profile after a journey, unless its page is shared. Then only its other tabs are closed. */
async function endJourneyIn(context: BrowserContext): Promise<void> {
  const [key, kept] = [...shared].find(([, page]) => page.context() === context) ?? []
  if (kept === undefined) return context.close()
  const others = context.pages().filter((tab) => tab !== kept)
  await Promise.all(others.map((tab) => tab.close()))
  if (key !== usualKey) await leave(kept)
}

/** Leaves what a page shows, so that it does nothing until the next journey uses it. */
async function leave(page: Page): Promise<void> {
  if (page.isClosed() || page.url() === 'about:blank') return
  recordProblems(page)
  await page.goto('about:blank')
}

/** The port of the servers of this process. */
let port: number | null = null

async function startServer(options: ServerOptions): Promise<RunningServer> {
  port ??= await unusedPort()
  return runServer({ port, ...options })
}

/** The browser of all journeys that run in this process. It ends with the process. */
let running: Browser | null = null

async function browserOfWorker(): Promise<Browser> {
  if (running?.isConnected() !== true) running = await openBrowser()
  return running
}

/** The methods of a page or its profile whose effect cannot be taken back, so that the next journey would see it. */
const lastingMethods = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'routeWebSocket',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setHTTPCredentials',
]

/** All methods of a clock: a page whose clock has been replaced never has the real time again. */
const clockMethods = [
  'fastForward',
  'install',
  'pauseAt',
  'resume',
  'runFor',
  'setFixedTime',
  'setSystemTime',
] as const satisfies readonly (keyof Clock)[]

/** The media features of a page without any emulation. */
const noEmulation = {
  media: null,
  colorScheme: null,
  contrast: null,
  forcedColors: null,
  reducedMotion: null,
} satisfies Parameters<Page['emulateMedia']>[0]

/** The sessions of developer tools on each shared page. What they emulate, such as a slow network, ends with them. */
const devtools = new WeakMap<Page, Set<CDPSession>>()

const refuse = (): never => {
  throw new Error('The next journey uses this page, too. Open the window with freshWindow().')
}

/** Lets the methods of a page and its profile fail whose effect lasts as long as the page. */
function forbidLastingChanges(page: Page): Page {
  const context = page.context()
  for (const name of lastingMethods)
    for (const owner of [page, context]) if (name in owner) Object.assign(owner, { [name]: refuse })
  for (const name of clockMethods) Object.assign(page.clock, { [name]: refuse })
  const sessions = new Set<CDPSession>()
  devtools.set(page, sessions)
  const openSession = context.newCDPSession.bind(context)
  context.newCDPSession = async (target) => {
    const session = await openSession(target)
    sessions.add(session)
    return session
  }
  return page
}

/** Ends all sessions of developer tools on a shared page. A journey may have ended some of them before. */
async function endDevtools(page: Page): Promise<void> {
  const sessions = [...(devtools.get(page) ?? [])]
  devtools.get(page)?.clear()
  await Promise.allSettled(sessions.map((session) => session.detach()))
}

/**
 * Removes what an earlier journey left in a page and its profile: listeners, routes, a slow or missing network, cookies
 * and storage.
 */
async function clear(page: Page, server: RunningServer): Promise<void> {
  recordProblems(page)
  await endDevtools(page)
  await page.context().setOffline(false)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().clearCookies()
  await page.context().clearPermissions()
  await page.mouse.move(0, 0)
  await page.goto(`${server.url}/health`)
  await page.evaluate(async () => {
    localStorage.clear()
    sessionStorage.clear()
    for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name)
  })
}

/**
 * The longest time in milliseconds that a journey waits for a state of the page. On a machine with much other work, steps
 * that take a second otherwise have taken more than 15 seconds. A journey as a whole may take 60 seconds.
 */
const longestWaitMs = 30_000

/** Waits until a function returns the expected value. After 30 seconds, the test fails with the last returned value. */
export async function eventually<T>(readValue: () => Promise<T> | T, expected: T): Promise<void> {
  const endMs = performance.now() + longestWaitMs
  let value = await readValue()
  while (JSON.stringify(value) !== JSON.stringify(expected) && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    value = await readValue()
  }
  expect(value).toEqual(expected)
}

/** True when the boxes of two elements share a part of the page. */
export async function doOverlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  if (a === null || b === null) throw new Error('An element is not shown.')
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** True when a press on the middle of an element reaches the element, and nothing that lies over it. */
export const isUncovered = (element: Locator): Promise<boolean> =>
  element.evaluate((box) => {
    const { left, top, width, height } = box.getBoundingClientRect()
    return box.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })

/** Returns the names of the rows in the page, from the top. */
export const namesShown = (page: Page): Promise<string[]> =>
  page
    .locator('#listing [role="row"][data-name]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name') ?? ''))

/**
 * Waits until an element in the page has the focus. Fails when the focus stays on the body, because keyboard users would
 * then start again at the top of the page.
 */
export const expectFocusInside = (page: Page): Promise<void> =>
  eventually(() => page.evaluate(() => document.activeElement?.tagName === 'BODY'), false)

/** Returns the name of the region that contains the focus, and the name of the focused row or element. */
export const focusOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement
    const region = focused?.closest('[data-region], [role="dialog"]')
    const row = focused?.closest<HTMLElement>('[data-name]')
    const name = row?.dataset['name'] ?? focused?.ariaLabel ?? focused?.textContent
    return [region?.tagName, region?.ariaLabel, name].filter(Boolean).join(' ')
  })

type Theme = 'light' | 'dark'

/**
 * Returns the violations that axe finds on the current page in the light theme and in the dark theme, by theme, rule and
 * element. The page keeps its state, and has its light theme again afterwards.
 */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  const inLight = await violationsIn(page, 'light')
  const inDark = await violationsIn(page, 'dark')
  await showTheme(page, 'light')
  return [
    ...inLight.map((violation) => `light: ${violation}`),
    ...inDark.map((violation) => `dark: ${violation}`),
  ]
}

/**
 * Switches the current page to a theme, and returns the violations that axe finds on it, by rule and element. In the dark
 * theme it checks the contrast alone, because nothing else can differ from the light theme, which a journey checks first.
 */
export async function violationsIn(page: Page, theme: Theme): Promise<string[]> {
  // The controls above a picture stay while the pointer is on them, or on a dialog above them. Else they would fade while axe measures.
  const name = page.locator('[data-whole-screen] [data-fading] h1')
  if (await name.isVisible()) await name.hover({ force: true })
  await showTheme(page, theme)
  if (areAllAppearancesChecked && theme === 'light') return violationsInAllAppearances(page)
  return violationsOf(page, theme === 'dark' ? contrastOnly : conformance)
}

/**
 * Returns the violations that axe finds in each appearance, and the parts that are hardly visible there. It checks all rules in the
 * light theme and with forced colours, where some controls have another shape, and otherwise the rules about colours.
 */
async function violationsInAllAppearances(page: Page): Promise<string[]> {
  const found: string[] = []
  await inEachAppearance(page, async ({ name, rules }) => {
    const violations = await violationsOf(page, rules === 'all' ? conformance : colourRules)
    for (const violation of [...violations, ...(await faintPartsIn(page))])
      found.push(`${name}: ${violation}`)
  })
  return found
}

/** Shows the current page in each appearance, one after the other, without a change of its state. Its light theme is shown afterwards. */
export async function inEachAppearance(
  page: Page,
  look: (appearance: Appearance) => Promise<unknown>,
): Promise<void> {
  for (const appearance of appearances) {
    const { colorScheme, contrast, forcedColors } = appearance
    await page.emulateMedia({ colorScheme, contrast, forcedColors })
    await showTheme(page, colorScheme)
    await look(appearance)
  }
  await page.emulateMedia({ colorScheme: null, contrast: null, forcedColors: null })
  await showTheme(page, 'light')
}

/**
 * Returns the elements of the current page whose contrast axe finds too low. Its theme stays. Waits until all movements have
 * ended, as `showTheme` does.
 */
export async function lowContrastsIn(page: Page): Promise<string[]> {
  await movementsEnd(page)
  return violationsOf(page, contrastOnly)
}

async function violationsOf(page: Page, runOnly: RunOnly): Promise<string[]> {
  for (const frame of page.frames()) await injectAxe(frame)
  return page.evaluate(
    async (options) => {
      const { violations } = await globalThis.axe.run(document, options)
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`))
    },
    {
      runOnly,
      // The details of rules without violations cost as much time as all checks together.
      resultTypes: ['violations' as const],
    },
  )
}

declare global {
  var axe: typeof axeCore
}

type RunOnly = { readonly type: 'tag' | 'rule'; readonly values: string[] }

const conformance: RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
const contrastOnly: RunOnly = { type: 'rule', values: ['color-contrast'] }
const colourRules: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/**
 * Switches the theme of the current page without a change of its state. Waits until all movements have ended, because axe
 * measures the colours of the moment.
 */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((shown) => {
    const { classList } = document.documentElement
    classList.toggle('dark', shown === 'dark')
    classList.toggle('light', shown === 'light')
  }, theme)
  await movementsEnd(page)
}

/** Waits until the page has drawn two frames, so that what follows from a new size or from scrolling has been rendered. */
export const nextFrames = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/**
 * Waits until all movements of the page have ended that take less than a second. Others, such as a spinner, do not end, and neither do
 * those in closed details, which the browser does not render.
 */
export const movementsEnd = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const movements = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0) < 1000)
      .filter(({ effect }) => (effect as KeyframeEffect | null)?.target?.checkVisibility() ?? false)
    await Promise.allSettled(movements.map(({ finished }) => finished))
  })

/** The minified source, which a browser reads in two thirds of the time of the other one. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Loads axe into a frame, unless an earlier check has done so. */
async function injectAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axeSource)
}

/** Returns the bar with the actions for the selected entries, which takes the place of the folder's header. */
export const selectionBar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Selection' })

/** Returns the paths of the folders that have a view of their own on this device, with their views, the latest choice last. */
export const storedViews = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('views '))
    return JSON.parse((key && localStorage.getItem(key)) || '[]') as unknown
  })

/** Chooses something in the view control, such as *Mosaic* or *Descending*, and closes the control. */
export async function chooseInView(page: Page, label: string, name = 'View'): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  const panel = page.getByRole('dialog', { name })
  await panel.getByText(label, { exact: true }).click()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
}
