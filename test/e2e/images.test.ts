import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { signIn } from '../kit/browser.ts'
import { twoColours } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const plain = (background: string) => sharp({ create: { width: 600, height: 400, channels: 3, background } })
const pages = ['#ff0000', '#00ff00'].map((colour) => plain(colour).png().toBuffer())
const misnamed = {
  'jpeg.tif': await twoColours(600, 400).jpeg().toBuffer(),
  'png.jpg': await plain('#ff0000').png().toBuffer(),
  'tiff.jpg': await sharp(await Promise.all(pages), { join: { animated: true } })
    .tiff({ compression: 'lzw' })
    .toBuffer(),
  'webp.png': await twoColours(600, 400).webp().toBuffer(),
}
const files = {
  misnamed,
  'photo.jpg': await twoColours(2400, 1800).jpeg().toBuffer(),
  'taken.jpg': await twoColours(60, 40)
    .withExif({
      IFD0: { Make: 'Canon', Model: 'Canon EOS R5' },
      IFD2: {
        DateTimeOriginal: '2026:11:25 18:30:05',
        ExposureTime: '1/250',
        FNumber: '28/10',
        FocalLength: '50/1',
        ISOSpeedRatings: '400',
      },
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '33/1 51/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '151/1 12/1 0/1',
      },
    })
    .jpeg()
    .toBuffer(),
}

const stage = (page: Page) => page.locator('[data-part="file"]')
const image = (page: Page) => stage(page).locator('img[data-loaded]')

atRoot({ files, people: [ann], flags: ['--disablePreviewResize'] }, ({ server, window }) => {
  test('an image under the name of another kind is shown by its content, also without a preview', async () => {
    const page = await window()
    await signIn(page, server(), ann, '/files/misnamed/jpeg.tif')
    // The arrow keys lead nowhere until the folder of the file is known.
    await page.getByRole('button', { name: 'Next file' }).waitFor({ state: 'attached' })
    for (const name of Object.keys(misnamed)) {
      if (name !== 'jpeg.tif') await page.keyboard.press('ArrowRight')
      await stage(page).getByRole('heading', { name }).waitFor()
      await eventually(
        () => image(page).evaluate((element) => (element as HTMLImageElement).naturalWidth),
        600,
      )
    }
    await stage(page).getByRole('heading', { name: 'webp.png' }).waitFor()
  })

  // Journey: images-4
  test('where images are not resized, the original is shown without a button for its size', async () => {
    const page = await window()
    await signIn(page, server(), ann, '/files/photo.jpg')
    await eventually(
      () => image(page).evaluate((element) => (element as HTMLImageElement).naturalWidth),
      2400,
    )
    expect(await stage(page).getByRole('button', { name: 'Zoom in' }).count()).toBe(1)
    expect(await stage(page).getByRole('button', { name: 'Original quality' }).count()).toBe(0)
  })

  // Journey: images-3
  test('the information of a photo links to a map only where links are allowed', async () => {
    const page = await window()
    await signIn(page, server(), ann, '/files/taken.jpg')
    const dialog = page.getByRole('dialog')
    const showInfo = async () => {
      await image(page).waitFor()
      await stage(page).getByText('Taken 11/25/26, 6:30 PM').waitFor()
      await stage(page).getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Info' }).click()
      await dialog.getByText('-33.850000, 151.200000').waitFor()
    }
    await showInfo()
    const text = (await dialog.innerText()).replaceAll(/\s+/g, ' ')
    for (const fact of [
      'Taken 11/25/26, 6:30 PM',
      'Camera Canon EOS R5',
      'Exposure 1/250 s · f/2.8 · 50 mm · ISO 400',
    ])
      expect(text).toContain(fact)
    const map = dialog.getByRole('link', { name: 'Show on OpenStreetMap' })
    expect(await map.getAttribute('href')).toBe(
      'https://www.openstreetmap.org/?mlat=-33.850000&mlon=151.200000#map=15/-33.850000/151.200000',
    )
    expect(await violationsIn(page, 'light')).toEqual([])
    await server().cli('config', 'set', '--branding.disableExternal')
    await page.reload()
    await showInfo()
    expect(await map.count()).toBe(0)
  })
})
