import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { forgetRefusals, pageProblems, rowOf, signIn } from '../kit/browser.ts'
import { makeEpub } from '../kit/epub.ts'
import { rotatedJpeg } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { makeZip } from '../kit/zip.ts'
import { atRoot, doOverlap, eventually, violationsIn } from './journeys.ts'

const photo = await rotatedJpeg(40, 30)
const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `<p>Paragraph ${index + 1} of the long chapter.</p>`).join('')

const plainBook = {
  chapters: {
    '1 cover #?&+.xhtml': `<h1>The cover</h1><svg xmlns="http://www.w3.org/2000/svg"><title>Drawn cover</title><image xlink:href="../images/photo%20%231.jpg"/></svg>
<p><a href="2.xhtml#end">to the end</a> <a href="https://example.com/">web</a> <a href="../nothing.xhtml">nowhere</a></p><p class="soft">soft text</p>`,
    '2.xhtml': `<h1>The second</h1>${paragraphs(80)}<p id="end">Here it ends.</p>`,
    '3.xhtml': '<h1>The third</h1><p>Short.</p>',
  },
  head: '<link rel="stylesheet" href="../book.css"/>',
  files: [
    { name: 'OEBPS/images/photo #1.jpg', content: photo },
    { name: 'OEBPS/book.css', content: '.soft { font-style: italic; margin-left: 2em; color: #fefefe }' },
  ],
}

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

const drm = `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>
<enc:EncryptionMethod Algorithm="METHOD"/></enc:EncryptedData></encryption>`
const oneChapter = { 'a.xhtml': '<p>Readable.</p>' }
const laughs = `<!DOCTYPE x [<!ENTITY a "haha">${Array.from({ length: 12 }, (_, index) => `<!ENTITY ${String.fromCodePoint(98 + index)} "${`&${String.fromCodePoint(97 + index)};`.repeat(10)}">`).join('')}]>`

const files = {
  '1 plain #?&+.epub': makeEpub(plainBook),
  '2 hostile.epub': makeEpub({
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
  '2 huge.epub': makeEpub({
    chapters: {
      'a.xhtml': '<div>'.repeat(4000) + '</div>'.repeat(4000),
      'b.xhtml': '<i/>'.repeat(200_000),
      'c.xhtml': `<br>${'<b>'.repeat(40_000)}`,
      'd.xhtml': `<bdi dir="auto">${'<i/>'.repeat(40_000)}The last one.</bdi>`,
    },
    head: `<style>${'* :not(p) ~ *, i { font-style: italic }\n'.repeat(2000)}</style>`,
  }),
  '3 old.epub': makeEpub({ chapters: plainBook.chapters, contents: 'ncx' }),
  '4 without contents.epub': makeEpub({ chapters: plainBook.chapters, contents: 'none', direction: 'rtl' }),
  '5 protected.epub': makeEpub({
    chapters: oneChapter,
    encryption: drm.replace('METHOD', 'http://www.w3.org/2001/04/xmlenc#aes128-cbc'),
  }),
  '6 fonts.epub': makeEpub({
    chapters: oneChapter,
    encryption: drm.replace('METHOD', 'http://www.idpf.org/2008/embedding'),
  }),
  '7 laughs.epub': makeZip([
    { name: 'META-INF/container.xml', content: `${laughs}<x>&m;</x>` },
    { name: 'a.xhtml', content: '' },
  ]),
  '8 cut.epub': makeEpub(plainBook).subarray(0, 900),
  '9 no book.epub': makeZip([{ name: 'a.txt', content: 'x' }]),
  'odd spine.epub': oddSpineBook(),
  'other names.epub': makeEpub({
    chapters: {
      'caf\u00e9.xhtml': '<p>Composed letters.</p>',
      'a b.xhtml': '<p>Percent signs.</p>',
      '100%.xhtml': '<p>A percent sign of its own.</p>',
      'Case.xhtml': '<p>Other letters.</p>',
      'drawing.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><title>A red field</title><script>top.hacked = 1</script><rect width="40" height="20" fill="red" onclick="top.hacked = 1"/></svg>',
      'gone.xhtml': '',
    },
    storedNames: {
      'caf\u00e9.xhtml': 'cafe\u0301.xhtml',
      'a b.xhtml': 'a%20b.xhtml',
      'Case.xhtml': 'cASE.XHTML',
      'gone.xhtml': null,
    },
  }),
}

/** A book whose list of files has chapters of other types than pages, and whose title has an entity that XML does not know. */
function oddSpineBook(): Buffer {
  const items = [
    ['a', 'old.html', 'text/x-oeb1-document'],
    ['b', 'picture.jpg', 'image/jpeg'],
    ['c', 'film.mp4', 'video/mp4" fallback="d'],
    ['d', 'instead.htm', 'application/octet-stream'],
    ['e', 'data.bin', 'application/octet-stream'],
  ].map(([id, name, type]) => `<item id="${id}" href="${name}" media-type="${type}"/>`)
  const order = ['a', 'b', 'c', 'unlisted', 'e'].map((id) => `<itemref idref="${id}"/>`)
  return makeZip([
    {
      name: 'META-INF/container.xml',
      content: '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    },
    {
      name: 'book.opf',
      content: `\n<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf"><metadata><title>A&nbsp;title</title></metadata><manifest>${items.join('')}</manifest><spine>${order.join('')}</spine></package>`,
    },
    { name: 'old.html', content: pageOf('An old page.') },
    { name: 'picture.jpg', content: photo },
    { name: 'film.mp4', content: 'a film' },
    { name: 'instead.htm', content: pageOf('In the place of a film.') },
    { name: 'data.bin', content: 'data' },
  ])
}

function pageOf(text: string): string {
  return `<html xmlns="http://www.w3.org/1999/xhtml"><body>${text}</body></html>`
}

const book = (page: Page) => page.locator('[data-part="book"]')
const tools = (page: Page) => page.getByRole('toolbar')
const button = (page: Page, name: string) => tools(page).getByRole('button', { name, exact: true })

/** Waits until the last line of the chapter is on screen. */
const waitForEnd = (page: Page): Promise<void> =>
  eventually(
    () =>
      book(page)
        .getByText('Here it ends.')
        .evaluate((line) => line.getBoundingClientRect().top < innerHeight),
    true,
  )

/** Shows the first chapter again. */
const goToCover = async (page: Page) => {
  await page.keyboard.press('ArrowLeft')
  await book(page).getByRole('heading', { name: 'The cover' }).waitFor()
}

/** Checks the first chapter and the table of contents in a viewport, and goes to the end of the second chapter. */
const expectReadable = async (page: Page, viewport: { readonly width: number; readonly height: number }) => {
  await page.setViewportSize(viewport)
  await book(page).getByRole('heading', { name: 'The cover' }).waitFor()
  const cover = book(page).getByRole('img', { name: 'Drawn cover' })
  await eventually(() => cover.evaluate((image) => (image as HTMLImageElement).naturalWidth), 30)
  const soft = await book(page)
    .getByText('soft text')
    .evaluate((line) => {
      const { fontStyle, color } = getComputedStyle(line)
      return [fontStyle, color === getComputedStyle(line.ownerDocument.body).color]
    })
  expect(soft).toEqual(['italic', true])
  // The arrows are beside the text, and below its area on a narrow screen.
  const text =
    viewport.width === 390
      ? book(page).getByRole('region', { name: '1 plain #?&+.epub' })
      : book(page).locator('article')
  for (const name of ['Previous file', 'Next file'])
    await eventually(() => doOverlap(page.getByRole('button', { name, exact: true }), text), false)
  expect(await violationsIn(page, 'light')).toEqual([])
  await button(page, 'Table of contents').click()
  const contents = book(page).getByRole('region', { name: 'Table of contents' })
  expect(await contents.getByRole('button').allInnerTexts()).toEqual([
    'The part 1',
    'The end of 1',
    'The part 2',
    'The end of 2',
    'The part 3',
    'The end of 3',
  ])
  expect(await violationsIn(page, 'light')).toEqual([])
  await contents.getByRole('button', { name: 'The end of 2' }).click()
  await book(page).getByRole('heading', { name: 'The second' }).waitFor()
  await waitForEnd(page)
  await eventually(() => contents.isVisible(), viewport.width > 736)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
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
    await book(page).waitFor()
    return page
  }

  test('a book shows its chapters, images and table of contents at both widths, and links lead through the book, web links to a tab of their own', async () => {
    const page = await open('1 plain #?&+.epub')
    await expectReadable(page, { width: 1280, height: 800 })
    await button(page, 'Table of contents').click()
    await book(page).getByRole('region', { name: 'Table of contents' }).waitFor({ state: 'hidden' })
    await goToCover(page)
    await expectReadable(page, { width: 390, height: 844 })
    await goToCover(page)

    const web = book(page).getByRole('link', { name: 'web' })
    expect([await web.getAttribute('target'), await web.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ])
    await book(page).getByRole('link', { name: 'nowhere' }).click()
    await book(page).getByRole('heading', { name: 'The cover' }).waitFor()
    await book(page).getByRole('link', { name: 'to the end' }).click()
    await waitForEnd(page)
    expect(new URL(page.url()).hash).toBe('')
  })

  test('keys and buttons lead through the chapters, the place and the text size are remembered, and books of the older format and from right to left are read', async () => {
    const page = await open('1 plain #?&+.epub')
    await book(page).getByRole('heading', { name: 'The cover' }).waitFor()
    await page.keyboard.press('ArrowRight')
    const line = book(page).getByText('Paragraph 60 of the long chapter.')
    await line.evaluate((paragraph) => paragraph.scrollIntoView({ block: 'start' }))
    const sizeOf = () => line.evaluate((paragraph) => Number.parseFloat(getComputedStyle(paragraph).fontSize))
    const before = await sizeOf()
    await button(page, 'Larger text').click()
    expect(await sizeOf()).toBeGreaterThan(before)
    await line.evaluate((paragraph) => paragraph.scrollIntoView({ block: 'start' }))
    const topOf = () => line.evaluate((paragraph) => Math.round(paragraph.getBoundingClientRect().top / 60))
    const top = await topOf()
    await page.keyboard.press('Escape')
    await rowOf(page, '1 plain #?&+.epub').dblclick()
    await eventually(topOf, top)
    expect(await sizeOf()).toBeGreaterThan(before)
    await page.keyboard.press('End')
    await book(page)
      .getByRole('region', { name: '1 plain #?&+.epub' })
      .getByRole('button', { name: 'Next chapter' })
      .click()
    await book(page).getByRole('heading', { name: 'The third' }).waitFor()
    expect(await button(page, 'Next chapter').getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('ArrowLeft')
    await book(page).getByRole('heading', { name: 'The second' }).waitFor()

    await page.keyboard.press('Escape')
    await rowOf(page, '3 old.epub').dblclick()
    await button(page, 'Table of contents').click()
    const contents = book(page).getByRole('region', { name: 'Table of contents' })
    await contents.getByRole('button', { name: 'The part 3' }).click()
    await book(page).getByRole('heading', { name: 'The third' }).waitFor()
    expect(await contents.getByRole('button').count()).toBe(3)
    await contents.getByRole('button', { name: 'The part 3' }).press('Escape')
    await contents.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await rowOf(page, '4 without contents.epub').dblclick()
    await book(page).getByRole('heading', { name: 'The cover' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await book(page).getByRole('heading', { name: 'The second' }).waitFor()
    await button(page, 'Table of contents').click()
    expect(await contents.getByRole('button').allInnerTexts()).toEqual([
      'Chapter 1',
      'Chapter 2',
      'Chapter 3',
    ])
  })

  test('nothing in a hostile book acts, asks another server, covers the page or keeps the browser busy', async () => {
    const page = await openList()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await rowOf(page, '2 hostile.epub').dblclick()
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

    await page.keyboard.press('Escape')
    await rowOf(page, '2 huge.epub').dblclick()
    for (const part of [1, 2, 3]) {
      await tools(page).locator('output').getByText(`${part} of 4`).waitFor()
      await book(page).getByText('This chapter is damaged or too large.').waitFor()
      await page.keyboard.press('ArrowRight')
    }
    await tools(page).locator('output').getByText('4 of 4').waitFor()
    await book(page).getByText('The last one.').waitFor()
    forgetRefusals(page)
  })

  test('the quick look shows the first chapter, an encrypted book says so, one with protected fonts is read, and damaged ones can be downloaded', async () => {
    const page = await openList()
    await rowOf(page, '1 plain #?&+.epub').click()
    await page.keyboard.press('Space')
    await book(page).getByRole('heading', { name: 'The cover' }).waitFor()
    expect(await book(page).getByRole('button').count()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await book(page).getByRole('heading', { name: 'Hostile' }).waitFor()
    forgetRefusals(page)
    await page.keyboard.press('Escape')
    await book(page).waitFor({ state: 'detached' })

    await rowOf(page, '5 protected.epub').dblclick()
    await page.getByText('This book is encrypted.').waitFor()
    expect(await violationsIn(page, 'light')).toEqual([])
    await page.keyboard.press('ArrowRight')
    await book(page).getByText('Readable.').waitFor()
    await page.keyboard.press('Escape')
    for (const name of ['7 laughs.epub', '8 cut.epub', '9 no book.epub']) {
      await rowOf(page, name).dblclick()
      await page.getByText('Preview is not available for this file.').waitFor()
      await page.keyboard.press('Escape')
    }
  })

  test('chapters of unusual kinds are shown, and those that are not listed or cannot be shown are named', async () => {
    const page = await openList()
    await rowOf(page, 'odd spine.epub').dblclick()
    await book(page).getByText('An old page.').waitFor()
    await page.keyboard.press('ArrowRight')
    const image = book(page).locator('article img')
    await eventually(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth > 0), true)
    await page.keyboard.press('ArrowRight')
    await book(page).getByText('In the place of a film.').waitFor()
    await page.keyboard.press('ArrowRight')
    await book(page).getByText('The file of this chapter is missing in the book: unlisted').waitFor()
    await page.keyboard.press('ArrowRight')
    await book(page).getByText('This chapter is damaged or too large.').waitFor()
    await tools(page).getByText('5 of 5').waitFor()
    forgetRefusals(page)
  })

  test('chapters are found by other forms of their names, a drawing is a chapter, and a missing one is named', async () => {
    const page = await openList()
    await rowOf(page, 'other names.epub').dblclick()
    for (const text of [
      'Composed letters.',
      'Percent signs.',
      'A percent sign of its own.',
      'Other letters.',
    ]) {
      await book(page).getByText(text).waitFor()
      await page.keyboard.press('ArrowRight')
    }
    const drawing = book(page).getByRole('img', { name: 'A red field' })
    await eventually(() => drawing.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0), true)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    await page.keyboard.press('ArrowRight')
    await book(page)
      .getByText('The file of this chapter is missing in the book: OEBPS/text/gone.xhtml')
      .waitFor()
    await tools(page).getByText('6 of 6').waitFor()
    forgetRefusals(page)
    expect(await violationsIn(page, 'light')).toEqual([])
  })
})
