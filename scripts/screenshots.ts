import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { newWindow, openBrowser, rowOf, signIn } from '../test/kit/browser.ts'
import { ada, runServer, type RunningServer } from '../test/kit/run-server.ts'
import { sampleLandscape } from './samples/landscape.ts'
import { makeSampleTree } from './samples/sample-tree.ts'

/**
 * `npm run screenshots` takes the pictures for the README. They show the built product with sample data: the list of a folder in
 * both themes, photos in a gallery and on the whole screen, a phone, and an album as a guest sees it.
 */
const root = path.resolve(import.meta.dirname, '..')
const pictures = path.join(root, 'docs/images')
const wide = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const holiday = 'Holiday 2026'
const photoNames = [
  'Arrival',
  'Harbour',
  'Lake',
  'Hike',
  'Valley',
  'Evening',
  'Pass',
  'Village',
  'Coast',
].flatMap((name) => [`${name} 1.jpg`, `${name} 2.jpg`])

const files = await mkdtemp(path.join(tmpdir(), 'stowage-pictures-'))
await makeSampleTree(files, Date.now())
await makeHoliday(path.join(files, holiday))
await mkdir(pictures, { recursive: true })
const server = await runServer({
  folder: files,
  people: [ada],
  program: [process.execPath, path.join(root, 'dist/server/main.js')],
})
const browser = await openBrowser()

try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openWindow({ ...wide, colorScheme })
    await signIn(page, server, ada)
    await rowOf(page, /report\.txt/).waitFor()
    await page.getByText(/ used$/).waitFor()
    await page.screenshot({ path: path.join(pictures, `listing-wide-${colorScheme}.png`) })
    await page.context().close()
  }
  await takePhotos(await openWindow(wide))
  await takePhone(await openWindow(phone))
  await takeAlbum(await openWindow(wide))
} finally {
  await browser.close()
  await server.remove()
  await rm(files, { recursive: true })
}
console.log(`Pictures are in ${path.relative(root, pictures)}`)

/** Opens a window whose client follows the colour scheme of the system and shows no hints. */
async function openWindow(options: BrowserContextOptions): Promise<Page> {
  const page = await newWindow(browser, options)
  await page.addInitScript(`localStorage.setItem('theme', 'system')`)
  await page.addInitScript(`localStorage.setItem('first-hints', 'closed')`)
  return page
}

/** Takes a picture as WebP, which is a tenth of PNG for photos. The pointer is moved away from what it would change. */
async function shoot(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  const image = await page.screenshot()
  await sharp(image)
    .webp({ quality: 82 })
    .toFile(path.join(pictures, `${name}.webp`))
}

/** Waits until the images of the first two rows of a grid are drawn. */
async function whenDrawn(page: Page): Promise<void> {
  await page.locator('[role="grid"] img[data-state="there"]').nth(11).waitFor()
}

async function takePhotos(page: Page): Promise<void> {
  await signIn(page, server, ada, `/files/${encodeURIComponent(holiday)}/`)
  await page.getByRole('button', { name: 'Show as gallery' }).click()
  await whenDrawn(page)
  await shoot(page, 'gallery')
  await rowOf(page, /Evening 1\.jpg/).dblclick()
  await page.locator('img[data-loaded]').first().waitFor()
  await page.locator('nav img').nth(9).waitFor()
  await shoot(page, 'photo')
  await page.context().close()
}

async function takePhone(page: Page): Promise<void> {
  await signIn(page, server, ada)
  await rowOf(page, /report\.txt/).waitFor()
  await shoot(page, 'phone')
  await page.context().close()
}

async function takeAlbum(page: Page): Promise<void> {
  await page.goto(await shareOf(server, holiday))
  await page.getByText(/^Shared by Ada/).waitFor()
  await whenDrawn(page)
  await shoot(page, 'album')
  await page.context().close()
}

async function shareOf({ url }: RunningServer, folder: string): Promise<string> {
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: ada.name, password: ada.password }),
  })
  const response = await fetch(`${url}/api/share/${encodeURIComponent(folder)}/`, {
    method: 'POST',
    headers: { 'X-Auth': await login.text() },
    body: JSON.stringify({ senderName: 'Ada', expires: '14', unit: 'days' }),
  })
  const { hash } = (await response.json()) as { readonly hash: string }
  return `${url}/share/${hash}`
}

/** Creates a folder with photos, each a day later than the one before. */
async function makeHoliday(folder: string): Promise<void> {
  await mkdir(folder)
  for (const [at, name] of photoNames.entries()) {
    const size = at % 5 === 3 ? { width: 800, height: 1200 } : { width: 1500, height: 1000 }
    await writeFile(path.join(folder, name), await sampleLandscape(at, size))
    const time = new Date(Date.UTC(2026, 6, 1 + at, 12))
    await utimes(path.join(folder, name), time, time)
  }
}
