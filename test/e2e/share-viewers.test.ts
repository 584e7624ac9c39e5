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

const files = {
  Kinds: {
    ...Object.fromEntries(kinds.map(([name, content]) => [name, content])),
    'm drawing.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect id="a" width="60" height="40"/><use href="#a"/></svg>',
    'n damaged.mp3': 'no sound',
    'o complex.html': '<b><p>'.repeat(300_000),
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
  test('a guest with the password of a link sees files of each kind in their viewers, without actions, and no text becomes markup of the page', async () => {
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
    // The tests of the viewers show more files that are damaged, or too complex to be shown.
    await page.goto(`${link}/n damaged.mp3`)
    await page.getByText('The file seems to be damaged.').waitFor()
    await page.goto(`${link}/o complex.html`)
    await page.getByText('This document is too complex').waitFor()
    expect([...calls].toSorted()).toEqual(['public/dl', 'public/preview', 'public/share', 'public/taken'])

    // No text becomes markup of the page.
    await page.goto(`${link}/m drawing.svg`)
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
