import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { newWindow, openBrowser, rowOf, signIn } from '../kit/browser.ts'
import { ada, runServer } from '../kit/run-server.ts'
import { makeSampleTree } from '../../scripts/samples/sample-tree.ts'

/**
 * `npm run count-controls` prints how busy the main screens are: the number of controls and words on screen, and the share of
 * the window that shows what the user came for. The window has 1440 × 900 pixels, and the folder is the one of the sample data.
 */
const viewport = { width: 1440, height: 900 }

type Screen = {
  readonly name: string
  readonly open: (page: Page) => Promise<unknown>
  /** The element that the user came for. Its part inside the window counts. */
  readonly content: (page: Page) => Locator
}

const screens: readonly Screen[] = [
  {
    name: 'list of a folder',
    open: (page) => page.goto(`${server.url}/files/Docs/`),
    content: (page) => page.locator('[role="grid"]'),
  },
  {
    name: 'list with a selected file',
    open: (page) => rowOf(page, /\.txt/).first().click(),
    content: (page) => page.locator('[role="grid"]'),
  },
  {
    name: 'photo',
    open: (page) => page.goto(`${server.url}/files/Album/2.jpg`),
    content: (page) => page.locator('[data-part="file"] img').first(),
  },
  {
    name: 'text file',
    open: (page) => page.goto(`${server.url}/files/report.txt`),
    content: (page) => page.locator('[data-part="editor"]'),
  },
]

const files = await mkdtemp(path.join(tmpdir(), 'stowage-counts-'))
await makeSampleTree(files, Date.now())
await mkdir(path.join(files, 'Album'))
for (const n of [1, 2, 3])
  await sharp({ create: { width: 4000, height: 2667, channels: 3, background: '#4a7' } })
    .jpeg()
    .toFile(path.join(files, 'Album', `${n}.jpg`))
const server = await runServer({
  folder: files,
  people: [ada],
  program: [process.execPath, path.resolve(import.meta.dirname, '../../dist/server/main.js')],
})
const browser = await openBrowser()
try {
  const page = await newWindow(browser, { viewport })
  await page.addInitScript(`localStorage.setItem('first-hints', 'closed')`)
  await signIn(page, server, ada)
  const counts: Record<string, unknown>[] = []
  for (const { name, open, content } of screens) {
    await open(page)
    await content(page).waitFor()
    // Controls that fade while the pointer rests are shown again by its movement.
    await page.waitForLoadState('networkidle')
    await page.mouse.move(700, 500)
    await page.mouse.move(720, 520)
    counts.push({
      screen: name,
      ...(await page.evaluate(countOnScreen)),
      content: `${Math.round(100 * (await shareOfWindow(content(page))))} %`,
    })
  }
  console.table(counts)
} finally {
  await browser.close()
  await server.remove()
  await rm(files, { recursive: true })
}

/** Returns the part of the window, from 0 to 1, that an element covers. */
async function shareOfWindow(content: Locator): Promise<number> {
  const box = await content.boundingBox()
  if (box === null) return 0
  const width = Math.min(box.x + box.width, viewport.width) - Math.max(box.x, 0)
  const height = Math.min(box.y + box.height, viewport.height) - Math.max(box.y, 0)
  return (Math.max(0, width) * Math.max(0, height)) / (viewport.width * viewport.height)
}

/** Counts the controls and words in the window. The rows of a list and their words are content, and do not count. */
function countOnScreen(): { readonly controls: number; readonly words: number } {
  const { innerWidth, innerHeight } = globalThis
  const isShown = (element: Element): boolean => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect()
    return (
      width > 1 &&
      height > 1 &&
      right > 0 &&
      bottom > 0 &&
      left < innerWidth &&
      top < innerHeight &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('[inert], [role="rowgroup"] [role="row"], [data-part="editor"] .cm-content') === null
    )
  }
  const controls = [
    ...document.querySelectorAll('a[href], button, input, select, textarea, [role="separator"][tabindex]'),
  ].filter(isShown)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  let words = 0
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node.parentElement !== null && isShown(node.parentElement))
      words += node.textContent?.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  return { controls: controls.length, words }
}
