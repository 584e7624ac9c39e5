import { closeSync, mkdirSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { newWindow, openBrowser, signIn } from '../kit/browser.ts'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { program } from './bench-context.ts'
import { browserResult, measureLargeFolder, untilShown } from './large-folder.ts'
import type { BenchResult } from './table.ts'

const count = 1_000_000
const firstRow = '[role="row"][data-name]'
const rounds = 3

/** Measures a folder with a million files in the browser, from the first visit to the scrolling. */
export async function benchMillion(): Promise<readonly BenchResult[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-bench-million-'))
  const browser = await openBrowser()
  try {
    makeFiles(path.join(folder, 'many'))
    const unseen = await medianOf(() => inWindow(browser, folder, openMany))
    return [
      browserResult('first rows of 1,000,000 entries, not seen before', unseen, 1500),
      ...(await inWindow(browser, folder, measureSeenFolder)),
    ]
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs a measurement with a new server and a new window, neither of which has seen the large folder. */
async function inWindow<T>(
  browser: Browser,
  folder: string,
  measure: (page: Page, server: RunningServer) => Promise<T>,
): Promise<T> {
  const server = await runServer({ folder, people: [ada], program })
  try {
    const page = await newWindow(browser)
    const result = await measure(page, server)
    await page.context().close()
    return result
  } finally {
    await server.remove()
  }
}

async function measureSeenFolder(page: Page, server: RunningServer): Promise<readonly BenchResult[]> {
  await openMany(page, server)
  const complete = await untilComplete(page)
  const results = await measureLargeFolder(page, { count, heapMb: 150, filterMs: 100 })
  const seen = await medianOf(() => untilReturn(page))
  return [
    browserResult('first rows of 1,000,000 entries, seen before', seen, 500),
    browserResult('1,000,000 entries: all rows', complete, null),
    ...results,
  ]
}

function makeFiles(folder: string): void {
  mkdirSync(folder)
  for (let n = 0; n < count; n += 1)
    closeSync(openSync(path.join(folder, `entry-${(n * 7919) % count}.txt`), 'w'))
}

/** Signs in, and opens the large folder from the folder that contains it. Returns the time in ms to the first rows. */
async function openMany(page: Page, server: RunningServer): Promise<number> {
  await signIn(page, server, ada)
  await page.locator('[data-name="many"]').waitFor()
  return untilShown(page, `${server.url}/files/many/`, firstRow)
}

/** Returns the time in ms from the last navigation of the page to the end of its listing. */
async function untilComplete(page: Page): Promise<number> {
  await page.locator('[role="grid"][aria-busy="false"]').waitFor({ timeout: 120_000 })
  return page.evaluate(() => performance.now())
}

/** Goes to the parent folder and back. Returns the time in ms from the step back to the first rows. */
async function untilReturn(page: Page): Promise<number> {
  await page.getByRole('link', { name: 'My files' }).first().click()
  await page.locator('[data-name="many"]').waitFor()
  return page.evaluate(async () => {
    const start = performance.now()
    history.back()
    do await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    while (document.querySelector('[data-name^="entry-"]') === null)
    return performance.now() - start
  })
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await measure())
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN
}
