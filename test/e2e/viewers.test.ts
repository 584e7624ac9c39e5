import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { modelFiles } from '../components/model-files.ts'
import { forgetRefusals, pageProblems, rowOf, signIn } from '../kit/browser.ts'
import { makeEpub } from '../kit/epub.ts'
import { readTestFont } from '../kit/fonts.ts'
import { makePdf } from '../kit/pdf.ts'
import { ann } from '../kit/run-server.ts'
import { makeScannedPdf } from '../kit/scans.ts'
import { makeZip } from '../kit/zip.ts'
import { atRoot, doOverlap, eventually, expectFocusInside, violationsIn } from './journeys.ts'

const hostileChapter = `<h1>Hostile</h1><script>top.hacked = 1</script><script src="../evil.js"></script>
<img src="https://evil.example/a.png" alt="far"/><img src="x.png" onerror="top.hacked = 1" alt=""/><img src="../evil.svg" alt="drawing"/>
<img src="//evil.example/b.png" srcset="https://evil.example/c.png 2x" alt=""/><iframe src="https://evil.example/"></iframe>
<svg xmlns="http://www.w3.org/2000/svg" onload="top.hacked = 1"><script>top.hacked = 1</script><use href="https://evil.example/u.svg#a"/></svg>
<object data="https://evil.example/o"></object><embed src="https://evil.example/e"/><video src="https://evil.example/v" autoplay="autoplay"></video>
<form action="https://evil.example/"><input name="a"/></form><math xmlns="http://www.w3.org/1998/Math/MathML"><mi href="javascript:top.hacked=1">x</mi></math>
<p class="cover" style="background: url(https://evil.example/s.png)">styled</p><a href="javascript:top.hacked=1">bad</a> <a href="jAvA&#10;sCript:top.hacked=1">sly</a>
<a href="data:text/html,x">data</a> <a href="/api/users">own</a><base href="https://evil.example/"/><meta http-equiv="refresh" content="0;url=https://evil.example/"/>`

const hostileStyles = `@import "https://evil.example/i.css"; @font-face { font-family: f; src: url(https://evil.example/f.woff) }
.cover { position: fixed; inset: 0; z-index: 99; background: url(https://evil.example/s.png); text-align: right; margin-left: -500em; cursor: url(https://evil.example/c.cur), auto }
:host { display: none } p { font-style: italic; list-style-type: url(https://evil.example/l.png) }`

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload="top.hacked = 1"><script>top.hacked = 1</script><image href="https://evil.example/x.png"/></svg>`

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

/** Makes the beginning of a PNG of 60,000 × 60,000 pixels. */
function hugePng(): Buffer {
  const png = Buffer.alloc(100)
  png.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  png.writeUInt32BE(60_000, 16)
  png.writeUInt32BE(60_000, 20)
  return png
}

/** Makes a page that a test can identify by its width. */
const pagePng = (number: number) =>
  sharp({ create: { width: 100 + number, height: 150, channels: 3, background: '#3060a0' } })
    .png()
    .toBuffer()

const pages = Array.from({ length: 12 }, (_, index) => `Page ${index + 1} of the report`)

const files = {
  'hostile.epub': makeEpub({
    chapters: {
      'a.xhtml': hostileChapter,
      'b.xhtml': `${hostileChapter}<p>not &nbsp; XML <br></p>`,
      'c.xhtml': '',
      'd.xhtml': '<p>The last one.</p>',
    },
    head: `<link rel="stylesheet" href="https://evil.example/l.css"/><style>${hostileStyles}</style>`,
    files: [
      { name: 'OEBPS/evil.js', content: 'top.hacked = 1' },
      {
        name: 'OEBPS/evil.svg',
        content: '<svg xmlns="http://www.w3.org/2000/svg" onload="top.hacked = 1"/>',
      },
      // A second file with the same name takes the place of the first one.
      { name: 'OEBPS/text/c.xhtml', content: 'a'.repeat(6_000_000) },
    ],
  }),
  'hostile.cbz': makeZip([
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

  'large.cbz': makeZip(
    Array.from({ length: 8 }, (_, at) => ({ name: `${at + 1}.png`, content: noisyPage, isStored: true })),
    { isZip64: true },
  ),
  'hostile.pdf': makePdf({
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
  // Chinese text in the legacy encoding of mainland China. The character map maps the codes to characters.
  'chinese.pdf': makePdf({
    pages: ['<d6d0ced4b1e2b5b5>'],
    font:
      '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /GBK-EUC-H /DescendantFonts [<< /Type /Font ' +
      '/Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> ' +
      '/FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 >> >>] >>',
  }),
  'symbols.pdf': makePdf({
    pages: ['abc'],
    font: '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>',
  }),
  'scans.pdf': makeScannedPdf(),
  'contents.pdf': makePdf({ pages, outline: [['Sowing', 2]] }),
  'font.ttf': readTestFont(),
  ...modelFiles,
  'people.csv': 'name,age\nZoë,9\nBen,30\n',
  'place.json': '{"name": "Zürich", "parts": [1, 2]}',
}

const book = (page: Page) => page.locator('[data-part="book"]')
const comic = (page: Page) => page.locator('[data-part="comic"]')
const tools = (page: Page) => page.getByRole('toolbar')
const counter = (page: Page) => tools(page).locator('output')
const source = (page: Page) => page.locator('[data-part="editor"]').getByRole('textbox')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const pathOf = (page: Page) => new URL(page.url()).pathname
/** Returns the number of the page of a comic that is shown, by the width of its image. */
const shownPage = (page: Page) =>
  comic(page)
    .locator('[data-page]:not([hidden]) img')
    .first()
    .evaluate((image) => (image as HTMLImageElement).naturalWidth - 100)
const pageOf = (page: Page, number: number) => page.locator(`[data-part="pdf"] [data-page="${number}"]`)
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

/** What single viewers do is in their component tests. Here is what they need the whole program for. */
atRoot({ files, people: [ann] }, ({ server, window }) => {
  const openList = async () => {
    const page = await window()
    await signIn(page, server(), ann)
    return page
  }
  const show = (page: Page, name: string) => page.goto(`${server().url}/files/${name}`)

  test('nothing in a hostile book acts, asks another server or covers the page', async () => {
    const page = await openList()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await rowOf(page, 'hostile.epub').dblclick()
    for (const part of [1, 2]) {
      await tools(page).locator('output').getByText(`${part} of 4`).waitFor()
      await book(page).getByRole('heading', { name: 'Hostile' }).waitFor()
      const article = book(page).locator('article')
      expect(
        await article
          .locator(
            'script, style, link, iframe, svg, object, embed, video, form, input, math, base, meta, [style], [onerror], [onload], [srcset], img[src]',
          )
          .count(),
      ).toBe(0)
      const styled = await article.getByText('styled').evaluate((line) => {
        const { position, backgroundImage, textAlign, marginLeft, fontStyle, listStyleImage } =
          getComputedStyle(line)
        return [position, backgroundImage, textAlign, marginLeft, fontStyle, listStyleImage]
      })
      expect(styled).toEqual(['static', 'none', 'right', '0px', 'italic', 'none'])
      expect(
        await article.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      ).toEqual([null, null, null, '#'])
      await page.keyboard.press('ArrowRight')
    }
    await book(page).getByText('This chapter is damaged or too large.').waitFor()
    await page.keyboard.press('ArrowRight')
    await book(page).getByText('The last one.').waitFor()
    forgetRefusals(page)
    const foreign = asked.filter(
      (address) => !/^(blob|data):/.test(address) && !address.startsWith(server().url),
    )
    expect([await page.evaluate(() => 'hacked' in globalThis), foreign]).toEqual([false, []])
    expect(pageProblems.get(page)).toEqual([])
  })

  test('nothing in a hostile comic acts, pages that cannot be shown leave the others readable, and a large comic is never loaded as a whole', async () => {
    const page = await openList()
    const heapBytes = () =>
      page.evaluate(
        () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
      )
    const before = await heapBytes()
    await rowOf(page, 'hostile.cbz').dblclick()
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
    await rowOf(page, 'large.cbz').dblclick()
    await eventually(() => comic(page).locator('img').count(), 3)
    const urls = await comic(page)
      .locator('img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src))
    expect(loadedBytes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(4 * noisyPage.length)
    await page.keyboard.press('Escape')
    await rowOf(page, 'large.cbz').waitFor()
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

  test('nothing in a hostile PDF acts, fonts that are not embedded are shown with maps and fonts from our own server, and scans with our own decoders', async () => {
    const page = await openList()
    const requested = new Set<string>()
    page.on('request', (request) => requested.add(new URL(request.url()).pathname))
    await rowOf(page, 'hostile.pdf').dblclick()
    await pageOf(page, 1).getByText('Hostile').waitFor()
    const links = pageOf(page, 1).locator('a')
    await eventually(
      () => links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))),
      ['https://example.com/x'],
    )
    expect(await links.getAttribute('rel')).toBe('noopener noreferrer')
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)

    await show(page, 'chinese.pdf')
    await pageOf(page, 1).getByText('中卧扁档').waitFor()
    await show(page, 'symbols.pdf')
    await pageOf(page, 1).getByText('abc').waitFor()
    await eventually(() => [...requested].some((url) => url.endsWith('/pdf/fonts/FoxitDingbats.pfb')), true)
    expect(await coloursOf(page, 1)).toBeGreaterThan(1)

    await show(page, 'scans.pdf')
    await pageOf(page, 3).waitFor()
    for (const number of [1, 2, 3]) {
      await pageOf(page, number).scrollIntoViewIfNeeded()
      await pageOf(page, number).locator('canvas').waitFor()
      // A picture that cannot be decoded leaves its page white.
      const blackPart = await blackPartOf(page, number)
      expect([number, blackPart > 0.6 && blackPart < 0.95]).toEqual([number, true])
    }
  })

  test('on phones the tools of a PDF are in one row: the menu, and the search in their place', async () => {
    const page = await openList()
    await rowOf(page, 'contents.pdf').dblclick()
    await page.setViewportSize({ width: 390, height: 844 })
    await pageOf(page, 1).getByText('Page 1 of the report').waitFor()
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
    await bar.getByText('1 of 12', { exact: true }).waitFor()
    expect(await layout()).toEqual({ rows: 1, fits: true })
    expect(await violationsIn(page, 'light')).toEqual([])
    await bar.getByRole('button', { name: 'Next match' }).click()
    await bar.getByText('2 of 12', { exact: true }).waitFor()
    await bar.getByRole('button', { name: 'Close search' }).click()
    const field = bar.getByRole('textbox', { name: 'Page number' })
    await field.waitFor()
    await expectFocusInside(page)
    await page.keyboard.press('Control+f')
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('type')), 'search')
  })

  test('the buttons to the other files of the folder stand beside the panel of a PDF, the text of a book and the fields of a font', async () => {
    const page = await openList()
    const wide = { width: 1280, height: 800 }
    const narrow = { width: 390, height: 844 }
    await rowOf(page, 'contents.pdf').dblclick()
    const panel = page.getByRole('complementary', { name: 'Pages and contents' })
    const previous = page.getByRole('button', { name: 'Previous file' })
    /** Returns true when the button to the previous file stands beside the panel. */
    const isBeside = async () => {
      const [box, edge] = [await previous.boundingBox(), await panel.boundingBox()]
      return box !== null && edge !== null && box.x >= edge.x + edge.width
    }
    await eventually(isBeside, true)
    await panel.getByRole('button', { name: 'Contents' }).click()
    await eventually(isBeside, true)
    // The choice of what the panel shows, and whether it is shown, is remembered.
    await page.reload()
    await panel.getByRole('button', { name: 'Sowing' }).waitFor()
    await tools(page).getByRole('button', { name: 'Pages and contents' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.reload()
    await pageOf(page, 1).locator('canvas').waitFor()
    expect(await panel.count()).toBe(0)

    const expectBeside = async (part: ReturnType<Page['locator']>) => {
      for (const name of ['Previous file', 'Next file'])
        await eventually(() => doOverlap(page.getByRole('button', { name, exact: true }), part), false)
    }
    await show(page, 'hostile.epub')
    await book(page).getByRole('heading', { name: 'Hostile' }).waitFor()
    await expectBeside(book(page).locator('article'))
    // The arrows are below the area of the text on a narrow screen.
    await page.setViewportSize(narrow)
    await expectBeside(book(page).getByRole('region', { name: 'hostile.epub' }))
    forgetRefusals(page)
    const sample = page.locator('[data-part="font"]').getByLabel('Sample text')
    await show(page, 'font.ttf')
    await sample.waitFor()
    await expectBeside(sample)
    await page.setViewportSize(wide)
    await expectBeside(sample)
    expect(await violationsIn(page, 'light')).toEqual([])
  })

  test('a model is shown in place of its text, which is edited on request', async () => {
    const page = await openList()
    const drawing = page.locator('[data-part="model"] canvas')
    for (const name of ['2 part.obj', '3 inside.gltf']) {
      await rowOf(page, name).dblclick()
      await drawing.waitFor()
      expect(await source(page).count()).toBe(0)
      await press(page, 'Edit')
      await source(page).waitFor()
      expect(await drawing.count()).toBe(0)
      await press(page, 'Preview')
      await drawing.waitFor()
      await press(page, 'Close the file')
    }
  })

  test('a table and a tree are shown beside their source and follow the typing, also in the next file, and their arrow keys lead to no other file', async () => {
    const page = await openList()
    const beside = page.locator('[data-part="text-rendering"]')
    await rowOf(page, 'people.csv').dblclick()
    await page.getByRole('gridcell', { name: 'Ben' }).click()
    await page.keyboard.press('ArrowRight')
    expect([await focusedText(page), pathOf(page)]).toEqual(['30', '/files/people.csv'])
    await press(page, 'Edit')
    await press(page, 'Show the table')
    await beside.getByRole('gridcell', { name: 'Zoë' }).waitFor()
    await source(page).focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('typed,1')
    await beside.getByRole('gridcell', { name: 'typed' }).waitFor()
    await eventually(() => beside.locator('[data-part="row-count"]').innerText(), '3 rows')
    await page.keyboard.press('Control+s')
    await page.locator('[data-state="saved"]').waitFor()
    await press(page, 'Close the file')

    await rowOf(page, 'place.json').dblclick()
    const item = (text: string) => page.getByRole('treeitem').filter({ hasText: text })
    await item('parts').click()
    await eventually(() => item('0: 1').count(), 0)
    await page.keyboard.press('ArrowRight')
    await item('0: 1').waitFor()
    await page.keyboard.press('ArrowRight')
    await eventually(() => focusedText(page), '0: 1')
    expect(pathOf(page)).toBe('/files/place.json')
    await press(page, 'Edit')
    await beside.getByRole('tree').waitFor()
    expect(await violationsIn(page, 'light')).toEqual([])
    await source(page).focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('[')
    await beside.getByText('the text ends too early').waitFor()
    await page.keyboard.press('Control+z')
    await beside.getByText('not valid JSON').waitFor({ state: 'detached' })
  })

  test('a source and its tree are read from left to right in a page that is not', async () => {
    const eve = { name: 'eve', password: 'eve has a long password' }
    await server().cli('users', 'add', eve.name, eve.password, '--locale', 'ar-XB')
    const page = await window()
    await signIn(page, server(), eve, '/files/place.json')
    const directionOf = (selector: string) =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).direction)
    await eventually(() => page.evaluate(() => document.documentElement.dir), 'rtl')
    const key = page.getByRole('treeitem').filter({ hasText: 'name' })
    await key.waitFor()
    const startOf = async (text: string) => (await key.getByText(text, { exact: true }).boundingBox())?.x ?? 0
    expect(await startOf('"Zürich"')).toBeGreaterThan(await startOf('name'))
    await show(page, 'place.json?edit')
    await eventually(() => directionOf('[data-part="editor"] .cm-content'), 'ltr')
  })
})
