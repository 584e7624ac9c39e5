import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { complaints, newWindow, openBrowser } from '../kit/browser.ts'
import { runServer, type RunningServer, type ServerWish } from '../kit/run-server.ts'

export type World = {
  readonly server: () => RunningServer
  /** A fresh window, closed after the journey; what it complained about fails the journey. */
  readonly window: (wish?: BrowserContextOptions) => Promise<Page>
}

/** The program as it is shipped, without its launcher: it starts in a quarter of the time that the source needs. */
const built = [process.execPath, path.resolve(import.meta.dirname, '../../dist/server/main.js')]

/** The same journeys twice: with the server at the root of its address, and below a base path. */
export function everywhere(wish: ServerWish, journeys: (world: World) => void): void {
  describe.each([
    ['at the root', ''],
    ['below a base path', '/fm'],
  ])('%s', (_where, basePath) => {
    let browser: Browser
    let server: RunningServer
    let open: Page[] = []
    beforeAll(async () => {
      ;[browser, server] = await Promise.all([
        openBrowser(),
        runServer({ program: built, ...wish, basePath }),
      ])
    })
    afterEach(async () => {
      const heard = open.flatMap((page) => complaints.get(page) ?? [])
      await Promise.all(open.map((page) => page.context().close()))
      open = []
      expect(heard).toEqual([])
    })
    afterAll(async () => {
      await browser.close()
      await server.remove()
    })
    journeys({
      server: () => server,
      window: async (options) => {
        const page = await newWindow(browser, options)
        page.setDefaultTimeout(15_000)
        open.push(page)
        return page
      },
    })
  })
}

/** Waits until a question has the answer; fails with the last one given. */
export async function eventually<T>(ask: () => Promise<T> | T, expected: T): Promise<void> {
  let got = await ask()
  for (let tries = 0; tries < 100 && JSON.stringify(got) !== JSON.stringify(expected); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    got = await ask()
  }
  expect(got).toEqual(expected)
}

/** The names of the rows that are in the page, from the top. */
export const namesShown = (page: Page): Promise<string[]> =>
  page
    .locator('[role="row"][data-name]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name') ?? ''))
