import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { newPage, pageProblems, newWindow, openBrowser } from '../kit/browser.ts'
import { runServer, type RunningServer, type ServerOptions } from '../kit/run-server.ts'

export type JourneyContext = {
  readonly server: () => RunningServer
  /**
   * Opens a new browser window that is closed after the journey. Errors in the console of the window make the journey
   * fail.
   */
  readonly window: (options?: BrowserContextOptions) => Promise<Page>
  /**
   * Registers a journey that does not depend on the server's URL. It runs only with the server at the root, and not
   * below a base path.
   */
  readonly testAtRoot: typeof test
}

/** The bundled program without its launcher. It starts in a quarter of the time that the source needs. */
const built = [process.execPath, path.resolve(import.meta.dirname, '../../dist/server/main.js')]

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

/** Registers journeys that share a server and a browser. */
function register(title: string, options: ServerOptions, journeys: (context: JourneyContext) => void): void {
  describe.each([title])('%s', () => {
    let browser: Browser
    let server: RunningServer
    let shared: BrowserContext
    let open: Page[] = []
    beforeAll(async () => {
      ;[browser, server] = await Promise.all([openBrowser(), runServer({ program: built, ...options })])
      shared = (await newWindow(browser)).context()
    })
    afterEach(async () => {
      const problems = open.flatMap((page) => pageProblems.get(page) ?? [])
      const contexts = new Set(open.map((page) => page.context()))
      contexts.delete(shared)
      await Promise.all([
        ...[...contexts].map((context) => context.close()),
        ...shared.pages().map((page) => page.close()),
      ])
      open = []
      expect(problems).toEqual([])
    })
    afterAll(async () => {
      await browser.close()
      await server.remove()
    })
    journeys({
      server: () => server,
      window: async (contextOptions) => {
        const isFirst = contextOptions === undefined && open.length === 0
        const page = isFirst ? await reuse(shared, server) : await newWindow(browser, contextOptions)
        page.setDefaultTimeout(15_000)
        open.push(page)
        return page
      },
      testAtRoot: test,
    })
  })
}

/**
 * Opens a page without cookies and storage in a context that earlier journeys used. The code of the client is in the
 * caches of the context, so opening the first page takes half as long as in a new context.
 */
async function reuse(context: BrowserContext, server: RunningServer): Promise<Page> {
  await context.clearCookies()
  const page = await newPage(context)
  await page.goto(`${server.url}/health`)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  return page
}

/**
 * Waits until a function returns the expected value. After 100 attempts, the test fails with the last returned value.
 */
export async function eventually<T>(readValue: () => Promise<T> | T, expected: T): Promise<void> {
  let value = await readValue()
  for (let tries = 0; tries < 100 && JSON.stringify(value) !== JSON.stringify(expected); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    value = await readValue()
  }
  expect(value).toEqual(expected)
}

/** Returns the names of the rows in the page, from the top. */
export const namesShown = (page: Page): Promise<string[]> =>
  page
    .locator('[role="row"][data-name]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name') ?? ''))
