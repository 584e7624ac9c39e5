import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { newWindow, openBrowser, rowOf, signIn } from '../kit/browser.ts'
import { hugeJpeg } from '../kit/images.ts'
import { ada } from '../kit/run-server.ts'
import { browserResult } from './large-folder.ts'
import { median, type BenchResult } from './table.ts'
import type { BenchContext } from './bench-context.ts'

const rounds = 5

/** The longest time in ms from the last byte of an image to the frame that shows the image. */
const shownBarMs = 200

/** The longest time in ms for which the page may not respond while a large image is opened and enlarged. */
const blockedBarMs = 200

/** The number of steps by which an image is enlarged. */
const enlargements = 8

/**
 * Measures how long a user waits for an image after its last byte has arrived, and for how long the page does not
 * respond while an image of 100 megapixels is opened and enlarged. The images are opened from a listing, so that the
 * start of the page is not part of the measured time.
 */
export async function benchImages({ server, folder }: BenchContext): Promise<readonly BenchResult[]> {
  const images = path.join(folder, 'images')
  await mkdir(images)
  await writeFile(path.join(images, 'photo.jpg'), await noisyJpeg(4000, 3000))
  await writeFile(path.join(images, 'huge.jpg'), await hugeJpeg(12_000, 8_400))
  const browser = await openBrowser()
  try {
    const page = await newWindow(browser)
    await signIn(page, server, ada)
    await page.addInitScript(recordPage, shownImage)
    const delays: number[] = []
    const blocks: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      // A new modification time gives the preview a new URL, so that it does not come from the cache of the browser.
      for (const name of ['photo.jpg', 'huge.jpg']) await utimes(path.join(images, name), round, round)
      delays.push(await shownDelay(await openFromListing(page, `${server.url}/files/images/`, 'photo.jpg')))
      blocks.push(await longestBlock(await openFromListing(page, `${server.url}/files/images/`, 'huge.jpg')))
    }
    return [
      browserResult('image of 12 megapixels: from its last byte to the screen', median(delays), shownBarMs),
      browserResult(
        'image of 100 megapixels: longest block of the page while it is opened and enlarged',
        median(blocks),
        blockedBarMs,
      ),
    ]
  } finally {
    await browser.close()
    await rm(images, { recursive: true })
  }
}

/** Creates an image of noise, whose preview is as expensive to decode as that of a photograph. */
const noisyJpeg = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#345678',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .jpeg()
    .toBuffer()

const shownImage = '[data-part="file"] img[data-loaded]'

type PageRecord = { longestBlockMs: number; shownMs: number | null }

/** Records the longest time between two turns of the event loop, and when the first frame with an image was painted. */
function recordPage(selector: string): void {
  const record: PageRecord = { longestBlockMs: 0, shownMs: null }
  Object.assign(globalThis, { record })
  let lastMs = performance.now()
  setInterval(() => {
    const nowMs = performance.now()
    record.longestBlockMs = Math.max(record.longestBlockMs, nowMs - lastMs)
    lastMs = nowMs
  }, 5)
  const observer = new MutationObserver(() => {
    if (document.querySelector(selector) === null) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => (record.shownMs = performance.now())))
  })
  observer.observe(document, { childList: true, subtree: true, attributes: true })
}

async function openFromListing(page: Page, url: string, name: string): Promise<Page> {
  await page.goto(url)
  await rowOf(page, name).waitFor()
  await page.evaluate(() => {
    const { record } = globalThis as unknown as { record: PageRecord }
    record.longestBlockMs = 0
  })
  await rowOf(page, name).dblclick()
  await page.waitForFunction(() => (globalThis as unknown as { record: PageRecord }).record.shownMs !== null)
  return page
}

const recordOf = (page: Page): Promise<PageRecord> =>
  page.evaluate(() => (globalThis as unknown as { record: PageRecord }).record)

/** Returns the time in ms from the last byte of the shown image to the frame that shows the image. */
async function shownDelay(page: Page): Promise<number> {
  const receivedMs = await page.locator(shownImage).evaluate((image: HTMLImageElement) => {
    const [resource] = performance.getEntriesByName(image.currentSrc)
    return (resource as PerformanceResourceTiming).responseEnd
  })
  return ((await recordOf(page)).shownMs ?? Number.NaN) - receivedMs
}

/** Enlarges the open image, and returns the longest time in ms for which the page did not respond since it was opened. */
async function longestBlock(page: Page): Promise<number> {
  for (let step = 0; step < enlargements; step += 1) {
    await page.keyboard.press('+')
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  }
  return (await recordOf(page)).longestBlockMs
}
