import { existsSync } from 'node:fs'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type Request,
} from 'playwright-core'
import { openSessionOn } from './login.ts'
import type { TestUser, RunningServer } from './run-server.ts'

/** Common installation paths of Chromium. A path in the environment variable `CHROME_PATH` has precedence. */
const installationPaths = [
  process.env['CHROME_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Returns the path of the installed Chromium. */
export function browserPath(): string {
  const executablePath = installationPaths.find(
    (candidate) => candidate !== undefined && existsSync(candidate),
  )
  if (executablePath === undefined)
    throw new Error('No Chromium found: install it or name it in CHROME_PATH.')
  return executablePath
}

/**
 * A name that leads the browser to this machine. Browsers trust pages over plain http only on the loopback addresses, so that a page
 * at this name misses what they give to secure contexts alone.
 */
export const networkName = 'nas.home'

/** Returns the arguments of Chromium. They switch off its background requests to the vendor. */
export const browserArguments = (): string[] => [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  `--host-resolver-rules=MAP ${networkName} 127.0.0.1`,
  // Without a process of its own, the network costs a tenth less of the processors' time.
  '--enable-features=NetworkServiceInProcess2',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the installed Chromium. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath(), args: browserArguments() })

/**
 * The problems that occurred on each page: script errors, violations of the content security policy, and requests to
 * hosts other than the test's server.
 */
export const pageProblems = new WeakMap<Page, string[]>()

/** The size of the page in a window, in CSS pixels. */
export const defaultViewport = { width: 1280, height: 800 }

/**
 * Opens a window with a new profile, which has no cookies and no storage. By default the language is English, the
 * viewport is 1280 × 800, and there is no service worker, whose own requests no route of a test sees.
 */
export async function newWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: defaultViewport,
    locale: 'en-US',
    serviceWorkers: 'block',
    ...options,
  })
  return newPage(context)
}

/** Opens a page in a context and records the page's problems. */
export async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  recordProblems(page)
  return page
}

const listenedEvents = [
  'console',
  'dialog',
  'download',
  'pageerror',
  'request',
  'requestfailed',
  'response',
  'websocket',
] as const

/** Records the problems of a page from now on. Earlier problems are forgotten, and earlier listeners are removed. */
export function recordProblems(page: Page): void {
  for (const event of listenedEvents) void page.removeAllListeners(event)
  const problems: string[] = []
  pageProblems.set(page, problems)
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => {
    if (isForeign(request)) problems.push(`asked ${new URL(request.url()).hostname}`)
  })
  page.on('requestfailed', (request) => {
    if (!isForeign(request) || !wasRefusedByPolicy(request)) return
    const asked = problems.indexOf(`asked ${new URL(request.url()).hostname}`)
    if (asked !== -1) problems.splice(asked, 1)
  })
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) problems.push(message.text())
  })
}

/**
 * Forgets that the browser has reported what the page's policy refuses to a hostile document. Chromium reports the handlers of
 * a text that is only parsed, too. Other problems remain.
 */
export function forgetRefusals(page: Page): void {
  const problems = pageProblems.get(page) ?? []
  problems.push(...problems.splice(0).filter((problem) => !/Content Security Policy/.test(problem)))
}

/** True for a request to a host other than the test's server. */
function isForeign(request: Request): boolean {
  const { protocol, hostname } = new URL(request.url())
  return /^(https?|wss?):$/.test(protocol) && hostname !== '127.0.0.1' && hostname !== networkName
}

/**
 * True for a request that the content security policy kept in the browser. Chromium reports such requests where its
 * preload scanner finds the address before the parser does, so that they are seen on some runs only.
 */
export const wasRefusedByPolicy = (request: Request): boolean => request.failure()?.errorText === 'csp'

/** Logs in through the login page. The page shows the root folder afterwards. */
export async function logIn(page: Page, server: RunningServer, person: TestUser): Promise<void> {
  await page.goto(`${server.url}/files/`)
  await page.getByLabel('Username').fill(person.name)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith('/login'))
}

/**
 * Signs in and opens an address of the server, by default the root folder. The session is written into the records, without a
 * login request and without the login page: a server checks its first password in a quarter of a second, and most journeys have a
 * server of their own. Afterwards, the browser contains the same cookie and token as after `logIn`.
 */
export async function signIn(
  page: Page,
  server: RunningServer,
  person: Pick<TestUser, 'name'>,
  address = '/files/',
): Promise<void> {
  const { token, cookie } = await openSessionOn(server, person.name)
  const { hostname: domain, pathname } = new URL(`${server.url}/`)
  const path = pathname.replace(/(?<=.)\/$/, '')
  await page
    .context()
    .addCookies([{ name: 'auth', value: cookie, domain, path, httpOnly: true, sameSite: 'Strict' }])
  if (page.url() !== `${server.url}/health`) await page.goto(`${server.url}/health`)
  await page.evaluate((jwt) => localStorage.setItem('jwt', jwt), token)
  await page.goto(server.url + address)
}

/** Opens the menu "More" of an open menu. On phones, its items appear in the place of "More". */
export const openMore = (page: Page): Promise<void> =>
  page.getByRole('menuitem', { name: 'More', exact: true }).press('Enter')

/** Returns the row of an entry in the open folder. */
export const rowOf = (page: Page, name: string | RegExp) => page.getByRole('grid').getByRole('row', { name })
