import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page, Request } from 'playwright-core'
import { newWindow, openBrowser, rowOf, signIn } from '../kit/browser.ts'
import { makePdf } from '../kit/pdf.ts'
import { ada } from '../kit/run-server.ts'
import { browserResult, framesWhileScrolling } from './large-folder.ts'
import { median, type BenchResult } from './table.ts'
import type { BenchContext } from './bench-context.ts'

const rounds = 3
const tableRows = 1_000_000

/** A document whose opening is measured. */
type OpenedDocument = {
  readonly name: string
  readonly what: string
  /** Runs in the page. Returns the time in ms since 1970 once the document is shown, and null before. */
  readonly shownAt: () => number | null
}

const documents: readonly OpenedDocument[] = [
  {
    name: 'report.pdf',
    what: 'PDF of 200 pages: from its last byte to the first page',
    shownAt: () =>
      document.querySelector('[data-page="1"] canvas') === null
        ? null
        : performance.timeOrigin + performance.now(),
  },
  {
    name: 'guide.md',
    what: 'Markdown of 190 kB: from its last byte to the document',
    shownAt: () =>
      [...document.querySelectorAll('*')].some((host) => host.shadowRoot?.querySelector('article h1'))
        ? performance.timeOrigin + performance.now()
        : null,
  },
  {
    name: 'million.csv',
    what: 'table of 1,000,000 rows: from its opening to its first rows',
    shownAt: () =>
      (document.querySelector('[data-part="table"] td')?.textContent ?? '') === ''
        ? null
        : performance.timeOrigin + performance.now(),
  },
]

/**
 * Measures how long a user waits for the first page or text of a document after its last byte has arrived, and for the
 * first rows of a table after it was opened. The documents are opened in the quick look, so
 * that the editor beside some of them does not count. The floor is the time in which the same browser fetches the same
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
    for (const opened of documents) {
      const delays: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        await page.goto(`${server.url}/files/documents/`)
        delays.push(await shownDelay(page, opened))
      }
      const address = `${server.url}/api/raw/documents/${opened.name}`
      // The page leaves the document before the floor is measured, because its viewer would slow the fetch down.
      await page.goto(`${server.url}/files/documents/`)
      await rowOf(page, opened.name).waitFor()
      const floors: number[] = []
      for (let round = 0; round < rounds; round += 1) floors.push(await floorTime(page, address))
      results.push({
        ...browserResult(opened.what, median(delays), null),
        floor: median(floors),
        against: 'bytes alone, split into lines',
      })
    }
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

async function makeDocuments(folder: string): Promise<void> {
  await mkdir(folder)
  const pages = Array.from({ length: 200 }, (_, index) => `Page ${index + 1}`)
  await writeFile(path.join(folder, 'report.pdf'), makePdf({ pages }))
  const chapter = '# Chapter\n\nText with **bold** words, `code` and [a link](other.md).\n\n- one\n- two\n\n'
  await writeFile(path.join(folder, 'guide.md'), chapter.repeat(2500))
  const lines = Array.from({ length: tableRows }, (_, id) => `${id},name ${id},${id % 977},some text`)
  await writeFile(path.join(folder, 'million.csv'), `id,name,value,note\n${lines.join('\n')}\n`)
}

/** Opens a document in the quick look, and returns the time in ms from its last byte to the frame that shows it. */
async function shownDelay(page: Page, { name, shownAt }: OpenedDocument): Promise<number> {
  // The browser does not tell when the requests of a worker end, so a table counts from its opening.
  const receivedMs = [Date.now()]
  const onFinished = (request: Request): void => {
    const { startTime, responseEnd } = request.timing()
    if (request.url().includes(`/${name}`)) receivedMs.push(startTime + responseEnd)
  }
  page.on('requestfinished', onFinished)
  await rowOf(page, name).click()
  await page.keyboard.press('Space')
  const shown = await page.waitForFunction(shownAt, undefined, { timeout: 60_000 })
  page.off('requestfinished', onFinished)
  return Number(await shown.jsonValue()) - Math.max(...receivedMs)
}

/** Opens the table, scrolls it by the wheel, and returns the durations of 240 frames in ms. */
async function framesOfTable(page: Page): Promise<readonly number[]> {
  await rowOf(page, 'million.csv').click()
  await page.keyboard.press('Space')
  await page.locator('[data-part="table"] td').first().hover()
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
