import type { Page } from 'playwright-core'
import { ada } from '../kit/run-server.ts'
import { newWindow, openBrowser, signIn } from '../kit/browser.ts'
import { median, type Result } from './table.ts'
import { sizes, type World } from './world.ts'

const rounds = 5

/** What a person waits for: the login page and the first rows, in a fresh window each time. */
export async function benchBrowser({ server }: World): Promise<readonly Result[]> {
  const browser = await openBrowser()
  try {
    const login: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const page = await newWindow(browser)
      login.push(await untilShown(page, `${server.url}/login`, 'input[autocomplete="username"]'))
      await page.context().close()
    }
    const results: Result[] = [inBrowser('login page, cold window, form shown', median(login), null)]
    const page = await newWindow(browser)
    await signIn(page, server, ada)
    for (const size of sizes) {
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1)
        times.push(await untilShown(page, `${server.url}/files/n${size}/`, '[role="row"] [role="rowheader"]'))
      results.push(
        inBrowser(
          `first rows of ${size} entries, from navigation`,
          median(times),
          size === 100_000 ? 500 : null,
        ),
      )
    }
    results.push(...(await inBigFolder(page)))
    return results
  } finally {
    await browser.close()
  }
}

const inBrowser = (what: string, ours: number, bar: number | null): Result => ({
  what,
  ours,
  floor: null,
  unit: 'ms',
  against: '',
  better: 'less',
  bar,
})

/** Milliseconds from the navigation to the frame that shows the first element that fits: noted by the page itself, not by asking it. */
async function untilShown(page: Page, url: string, selector: string): Promise<number> {
  await page.addInitScript(watchFor, selector)
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate(() => (globalThis as unknown as { shownMs: Promise<number> }).shownMs)
}

function watchFor(selector: string): void {
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

/** In the folder of 100,000 that is open now: End, select all, a wheel's frames, memory. */
async function inBigFolder(page: Page): Promise<readonly Result[]> {
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
    inBrowser('100,000 entries: End, painted', end, 50),
    inBrowser('100,000 entries: select all, painted', all, 50),
    inBrowser(
      '100,000 entries: scroll frame, 95th of 100',
      sorted[Math.floor(sorted.length * 0.95)] ?? 0,
      20,
    ),
    { ...inBrowser('100,000 entries: heap', heap / 1e6, 40), unit: 'MB' },
  ]
}
