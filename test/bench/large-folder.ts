import type { Page } from 'playwright-core'
import { plainList } from './plain-list.ts'
import { median, type BenchResult } from './table.ts'

export const browserResult = (what: string, ours: number, bar: number | null): BenchResult => ({
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
export async function untilShown(page: Page, url: string, selector: string): Promise<number> {
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

/** The part of a folder's length at which the thumb of the scrollbar is dropped. */
const jumpTo = 0.5

/** The number of times that each key, jump and scroll is measured. */
const rounds = 7

/**
 * A large folder: the number of its entries, and the limits for the memory of its page and for a letter of the filter. A
 * letter is compared with every name, so its limit depends on the number of entries (ux B17).
 */
type LargeFolder = { readonly count: number; readonly heapMb: number; readonly filterMs: number }

/**
 * Measures the End key, a jump of the scrollbar, the selection of all entries, the frame times while scrolling, and the
 * memory use. The page must show the folder. The baseline is a list of as many rows that is written without a framework,
 * in a page of its own.
 */
export async function measureLargeFolder(
  page: Page,
  { count, heapMb, filterMs }: LargeFolder,
): Promise<readonly BenchResult[]> {
  const shown = count.toLocaleString('en-US')
  await page.locator('[role="grid"][aria-busy="false"]').waitFor({ timeout: 120_000 })
  await page.getByText(shown).first().waitFor()
  const plain = await page.context().newPage()
  await plain.setContent(plainList(count))
  const moves = { ours: await moveTimes(page, count), floor: await moveTimes(plain, count) }
  await plain.close()
  const all = await selectAllTime(page)
  const filters: number[] = []
  for (let round = 0; round < rounds; round += 1) filters.push(await longestFrameWhileFiltering(page))
  const row = (what: keyof MoveTimes, label: string, bar: number): BenchResult => ({
    ...browserResult(`${shown} entries: ${label}`, moves.ours[what], bar),
    floor: moves.floor[what],
    against: 'plain list',
    isBarAbsolute: true,
  })
  return [
    row('end', 'End, painted', 50),
    row('jump', 'jump of the scrollbar, painted', 50),
    row('scroll', 'scroll frame, 95th of 100', 20),
    browserResult(`${shown} entries: select all, painted`, all, 50),
    browserResult(
      `${shown} entries: filter, slowest of ${typedLetters.length} letters, painted`,
      median(filters),
      filterMs,
    ),
    { ...browserResult(`${shown} entries: heap`, await heapMegabytes(page), heapMb), unit: 'MB' },
  ]
}

/** The times in ms until a list has moved to other rows. */
type MoveTimes = { readonly end: number; readonly jump: number; readonly scroll: number }

/** Measures the moves of the list in a page, each as the median of several rounds. */
async function moveTimes(page: Page, count: number): Promise<MoveTimes> {
  await page.bringToFront()
  const times = { end: [] as number[], jump: [] as number[], scroll: [] as number[] }
  await page.getByRole('row').nth(2).click()
  for (let round = 0; round < rounds; round += 1) {
    await paintedAfterKey(page, 'Home')
    times.end.push(await paintedAfterKey(page, 'End'))
    const last = await page.locator('[role="row"]:focus').getAttribute('aria-rowindex')
    if (last !== String(count + 1)) throw new Error(`the End key focused row ${last} of ${count}`)
    times.jump.push(await paintedAfterJump(page))
  }
  await page.mouse.move(600, 500)
  for (let round = 0; round < rounds; round += 1) {
    const frames = (await framesWhileScrolling(page)).toSorted((a, b) => a - b)
    times.scroll.push(frames[Math.floor(frames.length * 0.95)] ?? 0)
  }
  return { end: median(times.end), jump: median(times.jump), scroll: median(times.scroll) }
}

/** Selects and deselects all entries several times. Returns the median time in ms until the selection is painted. */
async function selectAllTime(page: Page): Promise<number> {
  await page.bringToFront()
  await page.getByRole('row').nth(2).click()
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    times.push(await paintedAfterKey(page, 'ctrl+a'))
    await paintedAfterKey(page, 'Escape')
  }
  return median(times)
}

/** The letters that are typed into the search field. Each letter leaves fewer of the names. */
const typedLetters = '0999'

/**
 * Types letters into the search field, and clears it again. Returns the longest time in ms from a letter to the frame
 * that shows the rows that match.
 */
async function longestFrameWhileFiltering(page: Page): Promise<number> {
  const field = page.getByRole('searchbox')
  await field.focus()
  await page.getByText('Type to search').waitFor()
  const longest = await field.evaluate(async (input: HTMLInputElement, letters) => {
    const type = async (text: string): Promise<number> => {
      const start = performance.now()
      // React ignores an assignment to the property that it has replaced on the element.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      return performance.now() - start
    }
    const times: number[] = []
    for (let end = 1; end <= letters.length; end += 1) times.push(await type(letters.slice(0, end)))
    return Math.max(...times)
  }, typedLetters)
  await page.locator('[data-part="listing"] mark').first().waitFor()
  await page.keyboard.press('Escape')
  return longest
}

/** Presses a key, and returns the time in ms until the next frame is painted. */
const paintedAfterKey = (page: Page, key: string): Promise<number> =>
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

/**
 * Sets the scroll position to the middle, as dragging the thumb of the scrollbar does. Returns the time in ms until a
 * row fills the middle of the view.
 */
const paintedAfterJump = (page: Page): Promise<number> =>
  page.evaluate(async (part) => {
    const scroller = document.querySelector('#listing')
    if (scroller === null) throw new Error('no listing is shown')
    const start = performance.now()
    scroller.scrollTop = scroller.scrollHeight * part
    const { left, top, width, height } = scroller.getBoundingClientRect()
    const isShown = (): boolean =>
      document.elementFromPoint(left + width / 2, top + height / 2)?.closest('[data-name]') !== null
    do await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    while (!isShown())
    return performance.now() - start
  }, jumpTo)

/** Scrolls what is under the pointer by the wheel for 60 steps, and returns the durations of 240 frames in ms. */
export async function framesWhileScrolling(page: Page): Promise<readonly number[]> {
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
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  return page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames)
}

async function heapMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const bytes = await page.evaluate(
    () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
  )
  return bytes / 1e6
}
