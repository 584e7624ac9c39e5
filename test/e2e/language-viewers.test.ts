import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { rowOf } from '../kit/browser.ts'
import { makeEpub } from '../kit/epub.ts'
import { readTestFont } from '../kit/fonts.ts'
import { transparentPng } from '../kit/images.ts'
import { minuteOfVideo, silentMp3 } from '../kit/media.ts'
import { makePdf } from '../kit/pdf.ts'
import { ada } from '../kit/run-server.ts'
import { makeZip } from '../kit/zip.ts'
import { atRoot } from './journeys.ts'
import { closeDialog, dialogOf, walkInLanguages, type Step, type Visit } from './languages.ts'

/** A model in the format STL with one triangle. */
const triangle = Buffer.alloc(84 + 50)
triangle.writeUInt32LE(1, 80)
;[0, 0, 0, 1, 0, 0, 0, 1, 0].forEach((value, at) => triangle.writeFloatLE(value, 96 + at * 4))

const pixel = await transparentPng()
const files = {
  zeta: { 'k.png': pixel, 'q.txt': 'other', 'zebra.txt': '' },
  'j.bin': Buffer.alloc(100),
  'j.cbz': makeZip([1, 2].map((number) => ({ name: `${number}.png`, content: pixel }))),
  'j.csv': 'q,z\n1,2\n',
  'j.en.srt': '1\n00:00:00,000 --> 00:00:50,000\nq\n',
  'j.epub': makeEpub({ chapters: { 'a.xhtml': '<p>q</p>', 'b.xhtml': '<p>z</p>' } }),
  'j.html': '<p>q</p>',
  'j.json': '{"q":[1,2]}',
  'j.md': '# q\n\nz',
  'j.mp3': silentMp3(1.5),
  'j.pdf': makePdf({ pages: ['q', 'z'], outline: [['q', 1]] }),
  'j.stl': triangle,
  'j.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>',
  'j.tif': await sharp({ create: { width: 60, height: 40, channels: 3, background: '#f00' } })
    .tiff()
    .toBuffer(),
  'j.ttf': readTestFont(),
  'j.webm': minuteOfVideo(),
  'j.zip': makeZip([
    { name: 'q/j.txt', content: 'q' },
    { name: 'z', content: 'x', isEncrypted: true },
  ]),
  'k.epub': 'damaged',
  'k.pdf': 'damaged',
  'k.stl': 'damaged',
  'k.ttf': 'damaged',
  'k.zip': 'damaged',
  'locked.pdf': makePdf({ pages: ['q'], password: 'q' }),
  'q.txt': 'q\n',
}

const shown = ({ page }: Visit, selector: string) => page.locator(selector).first().waitFor()
const part = (name: string) => (visit: Visit) => shown(visit, `[data-part="${name}"]`)
const inPart = (name: string, selector: string) => (visit: Visit) =>
  shown(visit, `[data-part="${name}"] ${selector}`)
const press = async ({ page, say }: Visit, id: string) =>
  page
    .getByRole('button', { name: say(id), exact: true })
    .first()
    .click()

/** Opens a file. */
const viewer = (name: string, wait: (visit: Visit) => Promise<unknown>): Step => [
  `viewer ${name}`,
  async (visit) => {
    await visit.page.goto(`${visit.server.url}/files/${name}`)
    await wait(visit)
  },
]
/** Opens a document, and its editor with the document beside the text. The program remembers that documents are shown there. */
const documentOf = (
  name: string,
  form: string,
  wait: (visit: Visit) => Promise<unknown>,
): readonly Step[] => [
  viewer(name, async (visit) => {
    await visit.page.getByRole('button', { name: visit.say('file.edit'), exact: true }).waitFor()
    await wait(visit)
  }),
  [
    `editor ${name}`,
    async (visit) => {
      await visit.page.goto(`${visit.server.url}/files/${name}?edit`)
      const toggle = visit.page.getByRole('button', { name: visit.say(`editor.form.${form}`), exact: true })
      await toggle.waitFor()
      if ((await toggle.getAttribute('aria-pressed')) !== 'true') await toggle.click()
      await wait(visit)
    },
  ],
]
/** Opens a file whose content cannot be shown. */
const damaged = (name: string): Step =>
  viewer(name, ({ page, say }) => page.getByText(say('file.noPreview')).waitFor())
/** Opens a menu of the viewer. */
const menu = (name: string, id: string): Step => [
  `menu ${name}`,
  async (visit) => {
    await press(visit, id)
    await visit.page.getByRole('menu').waitFor()
  },
]

async function pasteOverExisting({ page, server }: Visit): Promise<void> {
  await page.goto(`${server.url}/files/`)
  await rowOf(page, 'q.txt').click()
  await page.keyboard.press('Control+c')
  await page.locator('[data-part="notices"] [role="status"], [data-part="clipboard"]').first().waitFor()
  await rowOf(page, 'zeta').dblclick()
  await rowOf(page, 'k.png').waitFor()
  await page.keyboard.press('Control+v')
  await dialogOf(page).getByRole('button').nth(2).waitFor()
}

const search = (name: string, text: string, wait: (page: Page) => Promise<unknown>): Step => [
  name,
  async ({ page, server }) => {
    await page.goto(`${server.url}/files/?q=${text}`)
    await wait(page)
  },
]

const steps: readonly Step[] = [
  viewer('j.bin', ({ page, say }) => page.getByText(say('file.noPreview')).waitFor()),
  viewer('j.pdf', inPart('pdf', '[data-page="1"]')),
  viewer('locked.pdf', (visit) => shown(visit, 'input[type="password"]')),
  viewer('j.epub', part('book')),
  viewer('j.cbz', inPart('comic', 'img')),
  menu('comic', 'viewer.readingOptions'),
  viewer('j.zip', (visit) => shown(visit, 'td, [role="gridcell"], [data-part="file"] li')),
  viewer('j.webm', part('player')),
  menu('subtitles', 'viewer.subtitles'),
  viewer('j.mp3', part('player')),
  viewer('j.ttf', part('font')),
  viewer('j.stl', inPart('model', 'canvas')),
  viewer('j.svg', inPart('file', 'img')),
  viewer('j.tif', inPart('file', 'img')),
  ...documentOf('j.csv', 'table', part('table')),
  [
    'table format',
    async (visit) => {
      await press(visit, 'viewer.tableFormat')
      await shown(visit, '[data-part="table-format"]')
    },
  ],
  ...documentOf('j.json', 'tree', part('tree')),
  ...documentOf('j.md', 'rendered', (visit) => shown(visit, 'h1:text-is("q")')),
  ...documentOf('j.html', 'page', (visit) => shown(visit, '[data-part="file"] iframe')),
  ...['k.epub', 'k.pdf', 'k.stl', 'k.ttf', 'k.zip'].map(damaged),
  search('search', 'zebra', (page) => page.locator('#found [data-path]').first().waitFor()),
  search('search without results', 'nowhere', (page) =>
    page.locator('[data-part="search-results"] p').first().waitFor(),
  ),
  ['replace', pasteOverExisting],
  [
    'quick look',
    async ({ page }) => {
      await closeDialog(page)
      await rowOf(page, 'k.png').click()
      await page.keyboard.press('Space')
      await page.locator('[data-part="quick-look"] img').waitFor()
    },
  ],
  [
    'go to file',
    async ({ page }) => {
      await page.keyboard.press('Escape')
      await page.locator('[data-part="quick-look"]').waitFor({ state: 'detached' })
      await page.keyboard.press('Control+p')
      await dialogOf(page).getByRole('combobox').fill('k')
      // The hits of the server replace those of the page, and the field then refers to the first of them.
      await dialogOf(page).locator('[aria-activedescendant$="/zeta/k.png"]').waitFor()
      await dialogOf(page).locator('[role="option"] mark').first().waitFor()
    },
  ],
]

atRoot({ files, people: [ada] }, (journeys) => {
  // Journey: languages-3
  walkInLanguages(journeys, { steps, onlyWide: /menu|replace|quick|go to/, always: ['ar'] })
})
