import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { ada } from '../kit/run-server.ts'
import { newWindow, openBrowser, signIn } from '../kit/browser.ts'
import { measureAlternately, type BenchResult } from './table.ts'
import { sizes, type BenchContext } from './bench-context.ts'

const rounds = 5

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
        () => untilShown(page, `${server.url}/files/n${size}/`, firstRow),
        baselineInSameWindow,
      )
      results.push(comparedResult(`first rows of ${size} entries, from navigation`, rows, null))
      if (size === 100_000) results.push(browserResult(`the same, as it is`, rows.ours, 500))
    }
    await page.goto(`${server.url}/files/n100000/`)
    results.push(...(await measureBigFolder(page)))
    return baselineUrl === null ? results.map((result) => ({ ...result, floor: null })) : results
  } finally {
    await browser.close()
    await rm(path.join(folder, baselinePage))
  }
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
})

const browserResult = (what: string, ours: number, bar: number | null): BenchResult => ({
  what,
  ours,
  floor: null,
  unit: 'ms',
  against: '',
  better: 'less',
  bar,
})

/**
 * Returns the time in ms from the navigation to the frame that shows the first matching element. A script in the page
 * records the time, because polling from outside would distort it.
 */
async function untilShown(page: Page, url: string, selector: string): Promise<number> {
  await page.addInitScript(recordShownTime, selector)
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate(() => (globalThis as unknown as { shownMs: Promise<number> }).shownMs)
}

function recordShownTime(selector: string): void {
  const shownMs = new Promise<number>((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  Object.assign(globalThis, { shownMs })
}

/**
 * Measures the End key, the selection of all entries, the frame times while scrolling, and the memory use. The page
 * must show the folder of 100,000 entries.
 */
async function measureBigFolder(page: Page): Promise<readonly BenchResult[]> {
  await page.getByText('100,000').first().waitFor()
  await page
    .getByRole('grid')
    .focus()
    .catch(() => undefined)
  const painted = (key: string): Promise<number> =>
    page.evaluate(async (key) => {
      const start = performance.now()
      const target = document.activeElement ?? document.body
      const [name, ctrlKey] = key.startsWith('ctrl+') ? [key.slice(5), true] : [key, false]
      target.dispatchEvent(
        new KeyboardEvent('keydown', { key: name, ctrlKey, bubbles: true, cancelable: true }),
      )
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      return performance.now() - start
    }, key)
  await page.getByRole('row').nth(2).click()
  const end = await painted('End')
  const all = await painted('ctrl+a')
  await page.mouse.move(600, 500)
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(globalThis, { frames })
    let last = performance.now()
    const tick = (now: number): void => {
      frames.push(now - last)
      last = now
      if (frames.length < 240) requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.wheel(0, step % 20 === 0 ? -4000 : 240)
    await page.waitForTimeout(16)
  }
  const frames = await page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames)
  const sorted = [...frames].sort((a, b) => a - b)
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const heap = await page.evaluate(
    () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
  )
  return [
    browserResult('100,000 entries: End, painted', end, 50),
    browserResult('100,000 entries: select all, painted', all, 50),
    browserResult(
      '100,000 entries: scroll frame, 95th of 100',
      sorted[Math.floor(sorted.length * 0.95)] ?? 0,
      20,
    ),
    { ...browserResult('100,000 entries: heap', heap / 1e6, 40), unit: 'MB' },
  ]
}
