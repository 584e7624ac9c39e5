import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pageProblems, rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { makeZip } from '../kit/zip.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

/** Makes a page that a test can identify by its width. */
const pagePng = (number: number, height = 150) =>
  sharp({ create: { width: 100 + number, height, channels: 3, background: '#3060a0' } })
    .png()
    .toBuffer()

/** A page that the archive cannot compress, so that a comic of several such pages is large. */
const noisyPage = await sharp({
  create: {
    width: 1000,
    height: 1500,
    channels: 3,
    background: '#000',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
})
  .png({ compressionLevel: 0 })
  .toBuffer()

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload="top.hacked = 1"><script>top.hacked = 1</script><image href="https://evil.example/x.png"/></svg>`
const numbers = Array.from({ length: 12 }, (_, index) => index + 1)
const files = {
  '1 plain #?&+.cbz': makeZip([
    { name: 'ComicInfo.xml', content: '<ComicInfo/>' },
    { name: '__MACOSX/._1.png', content: 'no image' },
    // The order in the archive differs from that of the names, and from that of their characters.
    ...(await Promise.all(
      numbers
        .toReversed()
        .map(async (number) => ({ name: `a folder/Page ${number}.PNG`, content: await pagePng(number) })),
    )),
  ]),
  '2 hostile.cbz': makeZip([
    { name: '../../1 ä #?&+".png', content: await pagePng(1), isStored: true },
    { name: '2 bomb.png', content: Buffer.alloc(70_000_000) },
    { name: '3 lying.png', content: Buffer.alloc(50_000_000), claimedBytes: 100 },
    { name: '4 drawing.svg', content: drawing },
    { name: '5 page.html', content: '<script>top.hacked = 1</script>' },
    { name: '6 drawing.png', content: drawing },
    { name: '7 secret.png', content: 'x', isEncrypted: true },
    { name: '8 large.png', content: hugePng() },
    { name: '9 last.png', content: await pagePng(9) },
  ]),
  '3 cut.cbz': makeZip([{ name: '1.png', content: await pagePng(1) }]).subarray(0, 200),
  '4 no images.cbz': makeZip([{ name: 'a.txt', content: 'x' }]),
  '5 large.cbz': makeZip(
    numbers.slice(0, 8).map((number) => ({ name: `${number}.png`, content: noisyPage, isStored: true })),
    { isZip64: true },
  ),
}

/** Makes the beginning of a PNG of 60,000 × 60,000 pixels. */
function hugePng(): Buffer {
  const png = Buffer.alloc(100)
  png.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  png.writeUInt32BE(60_000, 16)
  png.writeUInt32BE(60_000, 20)
  return png
}

const comic = (page: Page) => page.locator('[data-part="comic"]')
/** Returns the number of the page that is shown, by the width of its image. */
const shownPage = (page: Page) =>
  comic(page)
    .locator('[data-page]:not([hidden]) img')
    .first()
    .evaluate((image) => (image as HTMLImageElement).naturalWidth - 100)
const tools = (page: Page) => page.getByRole('toolbar')
const counter = (page: Page) => tools(page).locator('output')
const choose = async (page: Page, option: string) => {
  await tools(page).getByRole('button', { name: 'Reading options' }).click()
  await page.getByRole('menuitem', { name: option }).click()
}

atRoot({ files }, ({ server, window }) => {
  const openList = async (options: Parameters<typeof window>[0] = {}) => {
    const page = await window(options)
    await signIn(page, server(), ann)
    return page
  }
  const open = async (name: string, options: Parameters<typeof window>[0] = {}) => {
    const page = await openList(options)
    await rowOf(page, name).dblclick()
    await comic(page).waitFor()
    return page
  }

  test('the pages of a comic are turned by keys, clicks and the slider at both widths, the other direction turns them around, and the place is remembered', async () => {
    const page = await open('1 plain #?&+.cbz')
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport)
      await eventually(() => shownPage(page), 1)
      await page.keyboard.press('ArrowRight')
      await eventually(() => shownPage(page), 2)
      await page.keyboard.press('Space')
      await eventually(() => shownPage(page), 3)
      await page.keyboard.press('ArrowLeft')
      await eventually(() => shownPage(page), 2)
      await page.keyboard.press('End')
      await eventually(() => shownPage(page), 12)
      await page.keyboard.press('ArrowRight')
      await eventually(() => counter(page).innerText(), '12 of 12')
      const stage = await comic(page).locator('[data-zoomed]').boundingBox()
      const clickAt = (part: number) =>
        page.mouse.click(
          (stage?.x ?? 0) + (stage?.width ?? 0) * part,
          (stage?.y ?? 0) + (stage?.height ?? 0) * 0.2,
        )
      await clickAt(0.3)
      await eventually(() => shownPage(page), 11)
      await clickAt(0.7)
      await eventually(() => shownPage(page), 12)
      await tools(page).getByRole('slider', { name: 'Page number' }).fill('9')
      await eventually(() => shownPage(page), 10)
      await tools(page).getByRole('button', { name: 'Next page' }).click()
      await eventually(() => shownPage(page), 11)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      expect(await violationsIn(page, 'light')).toEqual([])
      await page.locator('#content').focus()
      await page.keyboard.press('Home')
    }

    await page.setViewportSize({ width: 1280, height: 800 })
    await eventually(() => shownPage(page), 1)
    await choose(page, 'Right to left')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await eventually(() => shownPage(page), 3)
    await page.keyboard.press('Escape')
    await rowOf(page, '1 plain #?&+.cbz').dblclick()
    await eventually(() => shownPage(page), 3)
    await page.keyboard.press('ArrowRight')
    await eventually(() => shownPage(page), 2)
    const [previous, next] = await Promise.all(
      ['Previous page', 'Next page'].map((name) => tools(page).getByRole('button', { name }).boundingBox()),
    )
    expect(previous?.x).toBeGreaterThan(next?.x ?? Infinity)
  })

  test('the quick look shows the first page of a comic, pages below each other scroll and are released far away, and a damaged comic can be downloaded', async () => {
    const page = await openList()
    await rowOf(page, '1 plain #?&+.cbz').click()
    await page.keyboard.press('Space')
    await eventually(() => shownPage(page), 1)
    expect(await comic(page).getByRole('button').count()).toBe(0)
    await page.keyboard.press('Escape')
    await comic(page).waitFor({ state: 'detached' })

    await rowOf(page, '1 plain #?&+.cbz').dblclick()
    await comic(page).waitFor()
    await choose(page, 'Pages below each other')
    const area = comic(page).getByRole('region', { name: '1 plain #?&+.cbz' })
    await area.locator('[data-page="1"] img').waitFor()
    await page.keyboard.press('ArrowRight')
    await eventually(() => counter(page).innerText(), '2 of 12')
    await page.keyboard.press('End')
    await eventually(() => counter(page).innerText(), '12 of 12')
    await area.locator('[data-page="12"] img').waitFor()
    await eventually(() => area.locator('[data-page="1"] img').count(), 0)
    await area.evaluate((element) => element.scrollTo(0, 0))
    await eventually(() => counter(page).innerText(), '1 of 12')
    await page.reload()
    await area.locator('[data-page="1"] img').waitFor()
    expect(await violationsIn(page, 'light')).toEqual([])

    await page.keyboard.press('Escape')
    for (const name of ['3 cut.cbz', '4 no images.cbz']) {
      await rowOf(page, name).dblclick()
      await page.getByText('Preview is not available for this file.').waitFor()
      await page.keyboard.press('Escape')
    }
  })

  test('nothing in a hostile comic acts, pages that cannot be shown leave the others readable, and a large comic is never loaded as a whole', async () => {
    const page = await openList()
    const heapBytes = () =>
      page.evaluate(
        () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
      )
    const before = await heapBytes()
    await rowOf(page, '2 hostile.cbz').dblclick()
    await eventually(() => shownPage(page), 1)
    for (const number of [2, 3, 4, 5, 6]) {
      await page.keyboard.press('ArrowRight')
      await comic(page).getByText(`Page ${number} is damaged, or its format is unknown.`).waitFor()
    }
    await page.keyboard.press('ArrowRight')
    await eventually(() => shownPage(page), 9)
    expect(await counter(page).innerText()).toBe('7 of 7')
    expect((await heapBytes()) - before).toBeLessThan(50_000_000)
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    expect(pageProblems.get(page)).toEqual([])

    await page.keyboard.press('Escape')
    const loadedBytes: number[] = []
    page.on('response', (response) => {
      if (response.status() === 206) loadedBytes.push(Number(response.headers()['content-length']))
    })
    await rowOf(page, '5 large.cbz').dblclick()
    await eventually(() => comic(page).locator('img').count(), 3)
    const urls = await comic(page)
      .locator('img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src))
    expect(loadedBytes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(4 * noisyPage.length)
    await page.keyboard.press('Escape')
    await rowOf(page, '5 large.cbz').waitFor()
    const isGone = (url: string) =>
      page.evaluate(async (address) => {
        const image = new Image()
        image.src = address
        return image.decode().then(
          () => false,
          () => true,
        )
      }, url)
    expect(await Promise.all(urls.map(isGone))).toEqual([true, true, true])
  })
})
