import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { ada } from '../kit/run-server.ts'
import { newWindow, openBrowser, signIn } from '../kit/browser.ts'
import { browserResult, measureLargeFolder, untilShown } from './large-folder.ts'
import { measureAlternately, type BenchResult } from './table.ts'
import { sizes, type BenchContext } from './bench-context.ts'

const rounds = 5
/** The limit in ms for the first rows of a folder that was open before. */
const firstRowsBarMs = 500

const loginField = 'input[autocomplete="username"]'
const firstRow = '[role="row"] [role="rowheader"]'
const baselinePage = 'floor.html'

/**
 * Measures how long a user waits in a browser for the login page and for the first rows. The baseline is a plain HTML
 * page from nginx in the same browser.
 */
export async function benchBrowser({ server, folder, nginx }: BenchContext): Promise<readonly BenchResult[]> {
  await writeFile(path.join(folder, baselinePage), plainPage())
  const baselineUrl = nginx === null ? null : `http://127.0.0.1:${nginx.port}/${baselinePage}`
  const browser = await openBrowser()
  const timeInNewWindow = async (url: string, selector: string): Promise<number> => {
    const page = await newWindow(browser)
    const shownMs = await untilShown(page, url, selector)
    await page.context().close()
    return shownMs
  }
  const baselineInNewWindow = async () =>
    baselineUrl === null ? Number.NaN : timeInNewWindow(baselineUrl, loginField)
  try {
    const login = await measureAlternately(
      rounds,
      () => timeInNewWindow(`${server.url}/login`, loginField),
      baselineInNewWindow,
    )
    const results: BenchResult[] = [comparedResult('login page, cold window, form shown', login, null)]
    const page = await newWindow(browser)
    await signIn(page, server, ada)
    const baselineInSameWindow = async () =>
      baselineUrl === null ? Number.NaN : untilShown(page, baselineUrl, firstRow)
    for (const size of sizes) {
      const rows = await measureAlternately(
        rounds,
        () => firstRowsOf(page, `${server.url}/files/n${size}/`),
        baselineInSameWindow,
      )
      results.push(comparedResult(`first rows of ${size} entries, from navigation`, rows, firstRowsBarMs))
    }
    await page.goto(`${server.url}/files/n100000/`)
    results.push(...(await measureLargeFolder(page, { count: 100_000, heapMb: 40, filterMs: 50 })))
    return results.map((result) => (Number.isNaN(result.floor) ? { ...result, floor: null } : result))
  } finally {
    await browser.close()
    await rm(path.join(folder, baselinePage))
  }
}

/**
 * Returns the time in ms from the navigation to the first rows. Returns it once all rows have arrived, so that the next
 * measurement does not compete with them.
 */
async function firstRowsOf(page: Page, url: string): Promise<number> {
  const shownMs = await untilShown(page, url, firstRow)
  await page.locator('[role="grid"][aria-busy="false"]').waitFor()
  return shownMs
}

/** Returns an HTML page with 256 rows and an input field. The page needs no further requests and no scripts. */
function plainPage(): string {
  const row = '<div role="row"><span role="rowheader">entry.txt</span></div>'
  return `<!doctype html><title>floor</title><input autocomplete="username">${row.repeat(256)}`
}

const comparedResult = (
  what: string,
  times: { readonly ours: number; readonly floor: number },
  bar: number | null,
): BenchResult => ({
  ...browserResult(what, times.ours, bar),
  floor: times.floor,
  against: 'plain HTML from nginx',
  isBarAbsolute: true,
})
