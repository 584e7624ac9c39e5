import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { twoColours } from '../kit/images.ts'
import { makePdf } from '../kit/pdf.ts'
import { drawingPrograms, makeHeic, makeRaw, makeVideo } from '../kit/posters.ts'
import { ann } from '../kit/run-server.ts'
import { temporaryFolder } from '../kit/temporary-folder.ts'
import { atRoot, chooseInView, eventually } from './journeys.ts'

const { ffmpeg, pdftoppm, heifEncoder } = drawingPrograms
const jpeg = await twoColours(640, 480).jpeg().toBuffer()

/** Makes the files of which this machine's programs can draw posters. */
async function fill(folder: string): Promise<string[]> {
  await mkdir(folder)
  await writeFile(path.join(folder, 'photo.dng'), makeRaw({ jpeg }))
  await writeFile(path.join(folder, 'damaged.dng'), 'no photo')
  if (pdftoppm !== null) await writeFile(path.join(folder, 'pages.pdf'), makePdf({ pages: ['one', 'two'] }))
  if (ffmpeg !== null) copyFileSync(makeVideo('film.mp4'), path.join(folder, 'film #1 & 100%.mp4'))
  if (heifEncoder !== null) {
    const image = path.join(temporaryFolder(), 'image.jpg')
    writeFileSync(image, jpeg)
    await writeFile(path.join(folder, 'photo.heic'), readFileSync(makeHeic(image)))
  }
  return [
    ...(ffmpeg === null ? [] : ['film #1 & 100%.mp4']),
    ...(pdftoppm === null ? [] : ['pages.pdf']),
    'photo.dng',
    ...(heifEncoder === null ? [] : ['photo.heic']),
  ]
}

const nameIn = (url: string) => decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')
const digits = (index: number) => String(index).padStart(4, '0')

/** Collects the names of files of which a page requests posters, and the failures. */
function followRequests(page: Page) {
  const seen = { names: new Set<string>(), failures: [] as string[] }
  page.on('request', (request) => {
    if (!request.url().endsWith('&poster=true')) return
    seen.names.add(nameIn(request.url()))
  })
  page.on('response', (response) => {
    if (response.url().endsWith('&poster=true') && response.status() === 422)
      seen.failures.push(nameIn(response.url()))
  })
  return seen
}

atRoot({ files: {} }, ({ server, window }) => {
  // Journey: posters-1
  test('a jump to the end of many files asks only for the pictures on screen, which are shown in every view, and failed ones are not asked for again', async () => {
    const names = await fill(path.join(server().folder, 'posters'))
    const folder = path.join(server().folder, 'many')
    await mkdir(folder)
    for (let index = 0; index < 1000; index += 1)
      writeFileSync(path.join(folder, `${digits(index)}.dng`), 'x')
    const page = await window()
    const seen = followRequests(page)
    await signIn(page, server(), ann, '/files/many/')
    await rowOf(page, '0000.dng').click()
    await page.keyboard.press('End')
    await rowOf(page, '0999.dng').waitFor()
    await eventually(() => seen.names.has('0999.dng'), true)
    expect(seen.names.size).toBeLessThan(200)

    await page.keyboard.press('Escape')
    await page.getByLabel('Breadcrumb').getByRole('link', { name: 'My files' }).click()
    const failures = () => seen.failures.filter((name) => !/^\d/.test(name))
    await rowOf(page, 'posters').dblclick()
    const pictures = page.locator('[role=row][data-name] img')
    const named = () =>
      pictures.evaluateAll((images) =>
        images.map((image) => image.closest<HTMLElement>('[data-name]')?.dataset['name']),
      )
    await eventually(named, names)
    await eventually(failures, ['damaged.dng'])
    // The list becomes a mosaic, and the mosaic a gallery.
    await chooseInView(page, 'Mosaic')
    await eventually(named, names)
    await chooseInView(page, 'Gallery')
    await eventually(named, names)
    await eventually(
      () =>
        pictures.evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth > 0)),
      names.map(() => true),
    )
    await page.goBack()
    await rowOf(page, 'posters').dblclick()
    await eventually(named, names)
    await chooseInView(page, 'List')
    await eventually(named, names)
    expect(failures().filter((name) => name === 'damaged.dng').length).toBeLessThanOrEqual(2)
  })

  test.skipIf(ffmpeg === null)('the player of a video shows its picture before it plays', async () => {
    copyFileSync(makeVideo('film.mp4'), path.join(server().folder, 'film.mp4'))
    const page = await window()
    await signIn(page, server(), ann)
    const picture = page.waitForResponse((response) => response.url().includes('/api/preview/big/film.mp4'))
    await rowOf(page, 'film.mp4').dblclick()
    expect((await picture).status()).toBe(200)
  })
})
