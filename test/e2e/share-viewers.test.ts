import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pageProblems } from '../kit/browser.ts'
import { makeEpub } from '../kit/epub.ts'
import { readTestFont } from '../kit/fonts.ts'
import { twoColours } from '../kit/images.ts'
import { minuteOfVideo, silentMp3 } from '../kit/media.ts'
import { makePdf } from '../kit/pdf.ts'
import { makeRaw } from '../kit/posters.ts'
import { ann } from '../kit/run-server.ts'
import { makeZip } from '../kit/zip.ts'
import { atRoot, eventually } from './journeys.ts'

const jpeg = await twoColours(60, 40).jpeg().toBuffer()
const password = 'a long password of the link'

/** A model in the format STL with one triangle. */
const oneTriangle = Buffer.alloc(84 + 50)
oneTriangle.writeUInt32LE(1, 80)
;[0, 0, 0, 1, 0, 0, 0, 1, 0].forEach((value, at) => oneTriangle.writeFloatLE(value, 96 + at * 4))

const isDecoded = (page: Page): Promise<boolean> =>
  page.locator('[data-part="shared-file"] img[data-loaded]').evaluate((element) => {
    const { src, naturalWidth } = element as HTMLImageElement
    return src.startsWith('blob:') && naturalWidth === 60
  })
const isReady = (page: Page): Promise<boolean> =>
  page
    .locator('[data-part="player"]')
    .locator('video, audio')
    .evaluate((element) => (element as HTMLMediaElement).readyState > 0)
const hasText =
  (text: string) =>
  async (page: Page): Promise<boolean> =>
    (await page.locator('[data-part="shared-file"]').getByText(text, { exact: true }).count()) > 0

/** A file of each kind, and a function that returns true once its viewer shows the content. */
const kinds: readonly (readonly [string, string | Uint8Array, (page: Page) => Promise<boolean>])[] = [
  ['a photo.tif', await sharp(jpeg).tiff({ compression: 'lzw' }).toBuffer(), isDecoded],
  ['b camera.nef', makeRaw({ jpeg }), isDecoded],
  ['c film.webm', minuteOfVideo(), isReady],
  ['d song.mp3', silentMp3(2, { title: 'Sól', artist: 'Ásgerður', cover: jpeg }), hasText('Ásgerður')],
  ['e report.pdf', makePdf({ pages: ['The harvest'] }), hasText('The harvest')],
  ['f people.csv', 'name,age\nZoë,9\n', hasText('Zoë')],
  ['g place.json', '{"name": "Zürich"}', hasText('"Zürich"')],
  ['h book.epub', makeEpub({ chapters: { '1.xhtml': '<h1>The cover</h1>' } }), hasText('The cover')],
  [
    'i comic.cbz',
    makeZip([{ name: '1.jpg', content: jpeg }]),
    async (page) => (await page.locator('[data-part="comic"] img').count()) > 0,
  ],
  ['j font.ttf', readTestFont(), hasText('abcdefghijklmnopqrstuvwxyz')],
  [
    'k part.stl',
    oneTriangle,
    async (page) =>
      (await page.locator('[data-part="model"] canvas').textContent()) === 'Model k part.stl, 1 triangle',
  ],
  ['l page.md', '# Hello', hasText('Hello')],
]

/** A drawing of ten levels, of which each copies the one below ten times. */
const copies = Array.from(
  { length: 10 },
  (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
)
const patterns = copies
  .join('')
  .replaceAll(/<(\/?)g/g, '<$1pattern')
  .replaceAll(/<use href="(#a\d)"\/>/g, '<rect fill="url($1)"/>')
const svgStart = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">'
const wideRow = (text: string): string => `|${`${text}|`.repeat(100_000)}\n`

/** Files that stopped the page when they were opened, and a word of the text that is shown in their place. */
const hostile: readonly (readonly [string, string | Uint8Array, string])[] = [
  ['a words.md', '_a.'.repeat(50_000), 'This document is too complex'],
  ['b columns.md', wideRow('a') + wideRow('-') + wideRow('b'), 'This document is too complex'],
  ['c quotes.md', '>'.repeat(20_000), 'This document is too complex'],
  ['d tags.md', `<p>${'<b>'.repeat(600_000)}`, 'This document is too complex'],
  ['e paragraphs.html', '<b><p>'.repeat(300_000), 'This document is too complex'],
  ['f directions.html', `<p>${'a\u0627'.repeat(300_000)}`, 'This document is too complex'],
  [
    'g copies.svg',
    `${svgStart}<g id="a0"><rect/></g>${copies.join('')}</svg>`,
    'This drawing is too complex',
  ],
  ['h patterns.svg', `${svgStart}${patterns}<rect fill="url(#a10)"/></svg>`, 'This drawing is too complex'],
  [
    'i columns.epub',
    makeEpub({ chapters: { '1.xhtml': `<table><tr>${'<td>x</td>'.repeat(40_000)}</tr></table>` } }),
    'This chapter',
  ],
  ['j direction marks.md', 'a\u200F'.repeat(100_000), 'This document is too complex'],
  ['k marks.html', `<p>a${'\u0301'.repeat(100_000)}`, 'This document is too complex'],
  [
    'l marks.svg',
    `${svgStart}<text y="20">a${'\u0301'.repeat(100_000)}</text></svg>`,
    'This drawing is too complex',
  ],
]

const cutTiff = (await sharp(jpeg).tiff({ compression: 'lzw' }).toBuffer()).subarray(0, 200)
const cutModel = Buffer.alloc(84 + 50)
cutModel.writeUInt32LE(1000, 80)

/** Files that cannot be shown, and true for those whose content is the reason. */
const unshown: readonly (readonly [string, string | Uint8Array, boolean])[] = [
  ['text.stl', 'no model', true],
  ['cut.stl', cutModel, true],
  ['text.obj', 'no model', true],
  ['text.gltf', '{"asset"', true],
  ['value.gltf', 'null', true],
  ['wrong.gltf', '{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [7]}]}', true],
  ['old.gltf', '{"asset": {"version": "1.0"}}', false],
  [
    'beside.gltf',
    '{"asset": {"version": "2.0"}, "buffers": [{"uri": "missing.bin", "byteLength": 4}]}',
    false,
  ],
  ['text.tif', 'no picture', true],
  ['cut.tif', cutTiff, true],
  ['text.mp3', 'no sound', true],
  ['zeros.flac', Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(1000)]), true],
  ['unfinished.mp4', Buffer.from('\0\0\0\x14ftypisom\0\0\0\0isom\0\0\x10\0mdat and no more', 'latin1'), true],
]

const files = {
  Kinds: Object.fromEntries(kinds.map(([name, content]) => [name, content])),
  Unshown: Object.fromEntries(unshown.map(([name, content]) => [name, content])),
  Hostile: {
    ...Object.fromEntries(hostile.map(([name, content]) => [name, content])),
    'drawing.svg': `${svgStart}<rect id="a" width="60" height="40"/><use href="#a"/></svg>`,
  },
}

atRoot({ files, people: [ann] }, ({ server, window }) => {
  const linkOf = async (path: string): Promise<string> => {
    const { url } = server()
    const body = JSON.stringify({ username: ann.name, password: ann.password })
    const token = await (await fetch(`${url}/api/login`, { method: 'POST', body })).text()
    const response = await fetch(`${url}/api/share/${path}`, {
      method: 'POST',
      headers: { 'X-Auth': token },
      body: JSON.stringify({ password }),
    })
    return `${url}/share/${((await response.json()) as { hash: string }).hash}`
  }

  // Journey: share-viewers-1
  test('a guest with the password of a link sees files of each kind in their viewers, without actions', async () => {
    const page = await window()
    const link = await linkOf('Kinds/')
    await page.goto(link)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'a photo.tif', exact: true }).waitFor()
    const calls = new Set<string>()
    page.on('request', (request) => {
      const [, call] = /\/api\/((?:public\/)?[^/?]+)/.exec(request.url()) ?? []
      if (call !== undefined) calls.add(call)
    })
    for (const [name, , isShown] of kinds) {
      await page.goto(`${link}/${encodeURIComponent(name)}`)
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      await eventually(async () => [name, await isShown(page)], [name, true])
      for (const action of ['Rename', 'Delete', 'Save', 'Share'])
        expect([action, await page.getByRole('button', { name: action, exact: true }).count()]).toEqual([
          action,
          0,
        ])
    }
    expect([...calls].toSorted()).toEqual(['public/dl', 'public/share'])
  })

  test('a file that cannot be shown because of its content is said to be damaged, and no other one', async () => {
    const page = await window()
    const link = await linkOf('Unshown/')
    await page.goto(link)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'text.stl', exact: true }).waitFor()
    for (const [name, , isDamaged] of unshown) {
      await page.goto(`${link}/${name}`)
      await page.getByText('Preview is not available for this file.').waitFor()
      const damaged = page.getByText('The file seems to be damaged.')
      if (!isDamaged) await page.waitForLoadState('networkidle')
      await eventually(async () => [name, await damaged.count()], [name, isDamaged ? 1 : 0])
    }
  })

  test('a guest gets the text of documents that would stop the page, or a sentence, and no text becomes markup of the page', async () => {
    const page = await window()
    const link = await linkOf('Hostile/')
    await page.goto(link)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'drawing.svg', exact: true }).waitFor()
    for (const [name, , sentence] of hostile) {
      await page.goto(`${link}/${name}`)
      await eventually(async () => [name, await page.getByText(sentence).count()], [name, 1])
    }
    await page.goto(`${link}/drawing.svg`)
    await eventually(() => isDecoded(page), true)
    const refusal = await page.evaluate(() => {
      try {
        return (document.createElement('div').innerHTML = '<b>text</b>')
      } catch (error) {
        return String(error)
      }
    })
    expect(refusal).toContain("requires 'TrustedHTML'")
    pageProblems.get(page)?.splice(0)
  })
})
