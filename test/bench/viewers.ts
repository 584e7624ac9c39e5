import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Page, Request } from 'playwright-core'
import { newWindow, openBrowser, rowOf, signIn } from '../kit/browser.ts'
import { ada } from '../kit/run-server.ts'
import { browserResult, framesWhileScrolling } from './large-folder.ts'
import { median, type BenchResult } from './table.ts'
import type { BenchContext } from './bench-context.ts'
import { largeDocuments, makeDocuments, type OpenedDocument, smallDocuments } from './viewer-documents.ts'

const rounds = 3

/** The longest time in ms from the last byte of a document to the frame that shows its beginning. */
const shownBarMs = 200
/**
 * Measures how long a user waits for the first page or text of a document after its last byte has arrived, and for the
 * first rows of a table after it was opened. The documents are opened in the quick look, so that the editor beside some of
 * them does not count. The floor of large documents is the time in which the same browser fetches the same
 * bytes and splits them into lines, and for the frames of a scrolling table, the frames of an empty page.
 */
export async function benchViewers({ server, folder }: BenchContext): Promise<readonly BenchResult[]> {
  const target = path.join(folder, 'documents')
  await makeDocuments(target)
  const browser = await openBrowser()
  try {
    const page = await newWindow(browser)
    await signIn(page, server, ada)
    const results: BenchResult[] = []
    for (const opened of largeDocuments) {
      const delay = await delayOf(page, server.url, opened)
      const address = `${server.url}/api/raw/documents/${opened.name}`
      // The page leaves the document before the floor is measured, because its viewer would slow the fetch down.
      await page.goto(`${server.url}/files/documents/`)
      await rowOf(page, opened.name).waitFor()
      const floors: number[] = []
      for (let round = 0; round < rounds; round += 1) floors.push(await floorTime(page, address))
      results.push({
        ...browserResult(opened.what, delay, null),
        floor: median(floors),
        against: 'bytes alone, split into lines',
      })
      if (opened.name !== 'million.csv') results.push(browserResult(opened.what, delay, shownBarMs))
    }
    for (const opened of smallDocuments) {
      const delay = await delayOf(page, server.url, opened)
      results.push(browserResult(`${opened.what}: from its last byte to its beginning`, delay, shownBarMs))
    }
    await page.goto(`${server.url}/files/documents/`)
    results.push({
      ...browserResult(
        'table of 1,000,000 rows: scroll frame, 95th of 100',
        slowFrame(await framesOfTable(page)),
        1.5,
      ),
      floor: slowFrame(await framesOfEmptyPage(page)),
      against: 'frame of an empty page',
    })
    return results
  } finally {
    await browser.close()
    await rm(target, { recursive: true })
  }
}

/** Returns the median time in ms from the last byte of a document to the frame that shows it. */
async function delayOf(page: Page, url: string, opened: OpenedDocument): Promise<number> {
  const delays: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(`${url}/files/documents/`)
    delays.push(await shownDelay(page, opened))
  }
  return median(delays)
}

/**
 * Opens a document, and returns the time in ms from its last byte to the frame that shows it, or from its opening. The
 * time is 0 for a document that is shown before its last byte has arrived, such as the player of a song.
 */
async function shownDelay(
  page: Page,
  { name, shown, isInEditor, isFromOpening }: OpenedDocument,
): Promise<number> {
  const receivedMs = isFromOpening ? [Date.now()] : []
  const onFinished = (request: Request): void => {
    const { startTime, responseEnd } = request.timing()
    if (request.url().includes(`/${name}`)) receivedMs.push(startTime + responseEnd)
  }
  page.on('requestfinished', onFinished)
  await rowOf(page, name).click()
  if (isInEditor) await page.keyboard.press('Enter')
  else await page.keyboard.press('Space')
  const shownMs = await page.waitForFunction(shownAt, shown, { timeout: 60_000 })
  page.off('requestfinished', onFinished)
  if (receivedMs.length === 0) return 0
  return Math.max(0, Number(await shownMs.jsonValue()) - Math.max(...receivedMs))
}

/** Runs in the page. Returns the time in ms since 1970 once an element is shown, also in a shadow root, and null before. */
function shownAt(selector: string): number | null {
  const roots: ParentNode[] = [document]
  for (const host of document.querySelectorAll('*')) if (host.shadowRoot !== null) roots.push(host.shadowRoot)
  const element = roots.map((root) => root.querySelector(selector)).find((found) => found !== null)
  if (element === undefined) return null
  if (element instanceof HTMLImageElement && element.naturalWidth === 0) return null
  return performance.timeOrigin + performance.now()
}

/** Opens the table, scrolls it by the wheel, and returns the durations of 240 frames in ms. */
async function framesOfTable(page: Page): Promise<readonly number[]> {
  await rowOf(page, 'million.csv').click()
  await page.keyboard.press('Space')
  await page.locator('[data-part="table"] td').first().hover()
  // While the rows are arriving, the worker that reads them uses a processor of its own.
  await page
    .locator('[data-part="row-count"]')
    .getByText(/^1,000,000 rows$/)
    .waitFor()
  // The page loads the code of the dialogs in the first seconds after its start.
  await page.waitForLoadState('networkidle')
  return framesWhileScrolling(page)
}

/** Scrolls a page without content in the same way. */
async function framesOfEmptyPage(page: Page): Promise<readonly number[]> {
  await page.goto('about:blank')
  return framesWhileScrolling(page)
}

/** Returns the duration in ms that 95 of 100 frames keep. */
const slowFrame = (frames: readonly number[]): number =>
  frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? Number.NaN

/** Returns the time in ms in which the browser fetches the bytes of a file, decodes them and splits them into lines. */
const floorTime = (page: Page, address: string): Promise<number> =>
  page.evaluate(async (url) => {
    const start = performance.now()
    const bytes = await (await fetch(url, { cache: 'no-store' })).arrayBuffer()
    const lines = new TextDecoder().decode(bytes).split('\n')
    return lines.length > 1 ? performance.now() - start : Number.NaN
  }, address)
