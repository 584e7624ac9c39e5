import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { twoColours } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { makeRaw } from '../kit/posters.ts'
import { makeTiff } from '../kit/tiff.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

const pixels = Buffer.alloc(100)
const size = { 256: [10], 257: [10], 258: [8], 262: [1], 278: [10] }
const files = {
  '1 pages #?&+.tif': await sharp([await plain(600, 400, '#ff0000'), await plain(600, 400, '#00ff00')], {
    join: { animated: true },
  })
    .tiff({ compression: 'lzw' })
    .toBuffer(),
  '2 photo.tiff': await twoColours(900, 600).tiff({ compression: 'jpeg', quality: 95 }).toBuffer(),
  '3 cut.tif': (await twoColours(900, 600).tiff({ compression: 'lzw' }).toBuffer()).subarray(0, 50),
  '4 loop.tif': makeTiff(
    [
      { fields: size, strips: [pixels] },
      { fields: size, strips: [pixels] },
    ],
    { loopsTo: 0 },
  ),
  '6 camera.cr2': makeRaw({ jpeg: await twoColours(600, 400).jpeg().toBuffer(), orientation: 3 }),
  '7 no preview.nef': makeTiff([{ fields: size }]),
  '8 photo.jpg': await twoColours(60, 40)
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
  '5 huge.tif': makeTiff([{ fields: { ...size, 256: [60_000], 257: [60_000] }, strips: [pixels] }]),
}

const stage = (page: Page) => page.locator('[data-part="file"]')
const image = (page: Page) => stage(page).locator('img[data-loaded]')

/** Returns the colours at the left and at the right of the image on screen, as red, green and blue. */
const coloursOf = (page: Page) =>
  image(page).evaluate((element) => {
    const shown = element as HTMLImageElement
    const canvas = document.createElement('canvas')
    canvas.width = shown.naturalWidth
    canvas.height = shown.naturalHeight
    const context = canvas.getContext('2d')
    context?.drawImage(shown, 0, 0)
    return [0.2, 0.8].map((part) =>
      Array.from(context?.getImageData(canvas.width * part, canvas.height / 2, 1, 1).data ?? [])
        .slice(0, 3)
        .map((value) => (value > 200 ? 1 : value < 55 ? 0 : 2))
        .join(''),
    )
  })

/** Returns true when the image on screen was decoded in the page, and not by the server. */
const isOwn = (page: Page) =>
  image(page).evaluate((element) => (element as HTMLImageElement).src.startsWith('blob:'))

const red = ['100', '100']
const green = ['010', '010']

atRoot({ files }, ({ server, window }) => {
  const openList = async (options: Parameters<typeof window>[0] = {}) => {
    await server().cli('users', 'update', ann.name, '--viewMode', 'list')
    const page = await window(options)
    await signIn(page, server(), ann)
    return page
  }
  const open = async (name: string, options: Parameters<typeof window>[0] = {}) => {
    const page = await openList(options)
    await rowOf(page, name).dblclick()
    return page
  }

  test.each([
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ])('the pages of a TIFF are decoded in the page, at $width pixels', async (viewport) => {
    const page = await open('1 pages #?&+.tif', { viewport })
    await eventually(() => isOwn(page), true)
    expect(await coloursOf(page)).toEqual(red)
    const pages = page.getByRole('toolbar', { name: 'Pages' })
    await pages.getByText('1 of 2').waitFor()
    await pages.getByRole('button', { name: 'Next page' }).click()
    await eventually(() => coloursOf(page), green)
    await page.keyboard.press('PageUp')
    await eventually(() => coloursOf(page), red)
    await pages.getByText('1 of 2').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    )
    expect(await violationsIn(page, 'light')).toEqual([])
  })

  test('a TIFF with JPEG compression is decoded, and the arrows lead to it', async () => {
    const page = await open('1 pages #?&+.tif')
    await eventually(() => isOwn(page), true)
    await page.keyboard.press('ArrowRight')
    await eventually(() => coloursOf(page), ['100', '001'])
    await eventually(() => isOwn(page), true)
    await page.keyboard.press('1')
    await eventually(async () => (await image(page).boundingBox())?.width, 900)
  })

  test('a damaged or hostile TIFF can be downloaded, and a chain without an end has its pages', async () => {
    const page = await openList()
    for (const name of ['3 cut.tif', '5 huge.tif']) {
      await rowOf(page, name).dblclick()
      await page.getByText('Preview is not available for this file.').waitFor()
      await page.keyboard.press('Escape')
    }
    await rowOf(page, '4 loop.tif').dblclick()
    await page.getByText('1 of 2').waitFor()
    await eventually(() => coloursOf(page), ['000', '000'])
  })

  test('a RAW file shows the image that the camera stored in it, turned as it was held, and one without an image is offered for download', async () => {
    const page = await open('6 camera.cr2')
    await image(page).waitFor()
    await eventually(() => coloursOf(page), ['001', '100'])
    await page.keyboard.press('ArrowRight')
    await page.getByText('Preview is not available for this file.').waitFor()
  })

  test('the information of a photo tells camera, exposure, date and place, with a link to a map only where links are allowed', async () => {
    const page = await open('8 photo.jpg')
    const dialog = page.getByRole('dialog')
    const showInfo = async () => {
      await image(page).waitFor()
      await page.getByRole('banner').getByRole('button', { name: 'Info', exact: true }).click()
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
