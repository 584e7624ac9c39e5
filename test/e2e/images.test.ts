import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { animated, animatedPng, hugeJpeg, rotatedJpeg, twoColours } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { drawingPrograms, makeHeic, makeRaf, makeRaw } from '../kit/posters.ts'
import { temporaryFolder } from '../kit/temporary-folder.ts'
import { makeTiff } from '../kit/tiff.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

const cameraJpeg = await twoColours(600, 400).jpeg().toBuffer()
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
  '6 camera.cr2': makeRaw({ jpeg: cameraJpeg, orientation: 3 }),
  '6 d.dng': makeRaw({ jpeg: cameraJpeg }),
  '6 e.nef': makeRaw({ jpeg: cameraJpeg, orientation: 3 }),
  '6 f.arw': makeRaw({ jpeg: cameraJpeg }),
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

/** Makes files of the formats that the browser shows itself, and of those of which the server draws a picture. */
async function makeOtherFormats() {
  const red = sharp({ create: { width: 300, height: 200, channels: 3, background: '#ff0000' } })
  const jpeg = await red.jpeg({ quality: 95 }).toBuffer()
  const source = path.join(temporaryFolder(), 'source.jpg')
  writeFileSync(source, jpeg)
  return {
    'animated.gif': await animated('gif'),
    'animated.png': animatedPng(),
    'animated.webp': await animated('webp'),
    'drawing.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"><rect width="9" height="6" fill="#f00"/></svg>',
    'fuji.raf': makeRaf(jpeg),
    ...(drawingPrograms.heifEncoder === null ? {} : { 'phone.heic': readFileSync(makeHeic(source)) }),
    'still.avif': await red.avif().toBuffer(),
  }
}

const photo = await twoColours(2400, 1800).jpeg().toBuffer()

const stage = (page: Page) => page.locator('[data-part="file"]')
const image = (page: Page) => stage(page).locator('img[data-loaded]')

/** Returns the colours at the left and at the right of the image on screen, as red, green and blue. */
const coloursOf = (page: Page) =>
  image(page).evaluate((element) => {
    const shown = element as HTMLImageElement
    const canvas = document.createElement('canvas')
    canvas.width = 200
    canvas.height = 100
    const context = canvas.getContext('2d')
    context?.drawImage(shown, 0, 0, canvas.width, canvas.height)
    return [0.2, 0.8].map((part) =>
      Array.from(context?.getImageData(canvas.width * part, canvas.height / 2, 1, 1).data ?? [])
        .slice(0, 3)
        .map((value) => (value > 200 ? 1 : value < 55 ? 0 : 2))
        .join(''),
    )
  })

/** Returns the colour in the middle of the stage, as it is on screen: the current frame of an animation. */
async function colourOnScreen(page: Page): Promise<string> {
  const { x, y, width, height } = (await image(page).locator('..').boundingBox())!
  const clip = { x: Math.floor(x + width / 2), y: Math.floor(y + height / 2), width: 1, height: 1 }
  const { dominant } = await sharp(await page.screenshot({ clip })).stats()
  const { r, g, b } = dominant
  if (r > 200 && g < 55 && b < 55) return 'red'
  return g > 200 && r < 55 && b < 55 ? 'green' : 'other'
}

/** Returns true when the image on screen was decoded in the page, and not by the server. */
const isOwn = (page: Page) =>
  image(page).evaluate((element) => (element as HTMLImageElement).src.startsWith('blob:'))

const red = ['100', '100']
const green = ['010', '010']

atRoot({ files: { ...files, formats: {}, huge: {}, large: {} } }, ({ server, window }) => {
  const openList = async (options: Parameters<typeof window>[0] = {}) => {
    const page = await window(options)
    await signIn(page, server(), ann)
    return page
  }

  // Journey: images-1
  test('the pages of a TIFF are decoded in the page at both widths, one with JPEG compression too, and a damaged or hostile one can be downloaded', async () => {
    const page = await openList()
    await rowOf(page, '1 pages #?&+.tif').dblclick()
    await eventually(() => isOwn(page), true)
    const pages = page.getByRole('toolbar', { name: 'Pages' })
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport)
      await eventually(() => coloursOf(page), red)
      await pages.getByText('1 of 2').waitFor()
      await pages.getByRole('button', { name: 'Next page' }).click()
      await eventually(() => coloursOf(page), green)
      await page.keyboard.press('PageUp')
      await eventually(() => coloursOf(page), red)
      await pages.getByText('1 of 2').waitFor()
      const isInside = () =>
        page.evaluate((width) => document.documentElement.scrollWidth <= width, viewport.width)
      await eventually(async () => [viewport, await isInside()], [viewport, true])
      expect([viewport, await violationsIn(page, 'light')]).toEqual([viewport, []])
    }

    await page.setViewportSize({ width: 1280, height: 800 })
    await page.locator('#content').focus()
    await page.keyboard.press('ArrowRight')
    await eventually(() => coloursOf(page), ['100', '001'])
    await eventually(() => isOwn(page), true)
    await page.keyboard.press('1')
    await eventually(async () => (await image(page).boundingBox())?.width, 900)

    await page.keyboard.press('Escape')
    for (const name of ['3 cut.tif', '5 huge.tif']) {
      await rowOf(page, name).dblclick()
      await page.getByText('Preview is not available for this file.').waitFor()
      await page.keyboard.press('Escape')
    }
    await rowOf(page, '4 loop.tif').dblclick()
    await page.getByText('1 of 2').waitFor()
    await eventually(() => coloursOf(page), ['000', '000'])
  })

  // Journey: images-2
  test('the size of an image is switched between the preview and the original, which is loaded again after a lost connection, both as the camera was held', async () => {
    const folder = path.join(server().folder, 'large')
    writeFileSync(path.join(folder, '0 portrait.jpg'), await rotatedJpeg(2400, 1800))
    writeFileSync(path.join(folder, '1 photo.jpg'), photo)
    writeFileSync(path.join(folder, '2 lost.jpg'), photo)
    const page = await window()
    await signIn(page, server(), ann, '/files/large/0 portrait.jpg')
    const shape = () =>
      image(page).evaluate((element) => {
        const { naturalWidth, naturalHeight, clientWidth, clientHeight } = element as HTMLImageElement
        return [naturalWidth < naturalHeight, clientWidth < clientHeight, naturalHeight]
      })
    await eventually(shape, [true, true, 1080])
    await stage(page).getByRole('button', { name: 'Original quality' }).click()
    await eventually(shape, [true, true, 2400])

    await page.locator('#content').focus()
    await page.keyboard.press('ArrowRight')
    const original = stage(page).getByRole('button', { name: 'Original quality' })
    const shownPixels = () => image(page).evaluate((element) => (element as HTMLImageElement).naturalWidth)
    await eventually(shownPixels, 1080)
    const fitted = (await image(page).boundingBox())?.width
    for (const pixels of [2400, 1080, 2400]) {
      await original.click()
      await eventually(shownPixels, pixels)
      expect(await original.getAttribute('aria-pressed')).toBe(String(pixels === 2400))
      expect((await image(page).boundingBox())?.width).toBe(fitted)
    }

    // The original of this image is not in the cache of the browser yet.
    await page.locator('#content').focus()
    await page.keyboard.press('ArrowRight')
    await stage(page).getByRole('heading', { name: '2 lost.jpg' }).waitFor()
    await eventually(shownPixels, 1080)
    await page.route('**/api/raw/**', (route) => route.abort('connectionreset'))
    await original.click()
    await eventually(
      () => original.getAttribute('aria-description'),
      'The original could not be loaded. Press again to retry.',
    )
    await page.unroute('**/api/raw/**')
    await original.click()
    await eventually(shownPixels, 2400)
  })

  test('AVIF, SVG and animations are shown, and HEIC and RAF by the picture that the server draws', async () => {
    const formats = await makeOtherFormats()
    for (const [name, content] of Object.entries(formats))
      writeFileSync(path.join(server().folder, 'formats', name), content)
    const page = await window()
    const names = Object.keys(formats)
    await signIn(page, server(), ann, `/files/formats/${names[0]}`)
    for (const name of names) {
      if (name !== names[0]) await page.keyboard.press('ArrowRight')
      await stage(page).getByRole('heading', { name }).waitFor()
      await image(page).waitFor()
      // The first frame of an animation is red, too.
      await eventually(() => colourOnScreen(page), name.startsWith('animated') ? 'green' : 'red')
    }
    await page.goto(`${server().url}/files/formats/fuji.raf`)
    const original = stage(page).getByRole('button', { name: 'Original quality' })
    await original.click()
    await eventually(
      () => original.getAttribute('aria-description'),
      'The original could not be loaded. Press again to retry.',
    )
    expect(await colourOnScreen(page)).toBe('red')
    expect(await violationsIn(page, 'light')).toEqual([])
  })

  test('an image of 100 megapixels opens and is enlarged to its pixels', async () => {
    writeFileSync(path.join(server().folder, 'huge', 'huge.jpg'), await hugeJpeg(12_000, 8_400))
    const page = await window()
    await signIn(page, server(), ann, '/files/huge/huge.jpg')
    await image(page).waitFor({ timeout: 60_000 })
    await eventually(() => coloursOf(page), ['100', '001'])
    await page.keyboard.press('1')
    await eventually(async () => Math.round((await image(page).boundingBox())?.width ?? 0), 12_000)
    await page.mouse.move(640, 400)
    await page.mouse.down()
    await page.mouse.move(940, 400, { steps: 3 })
    await page.mouse.up()
    await eventually(() => colourOnScreen(page), 'red')
  })

  // Journey: images-3
  test('a RAW file shows the image of its camera, turned as it was held, and the information of a photo links to a map only where links are allowed', async () => {
    const page = await openList()
    await rowOf(page, '6 camera.cr2').dblclick()
    await image(page).waitFor()
    await eventually(() => coloursOf(page), ['001', '100'])
    for (const [name, colours] of [
      ['6 d.dng', ['100', '001']],
      ['6 e.nef', ['001', '100']],
      ['6 f.arw', ['100', '001']],
    ] as const) {
      await page.keyboard.press('ArrowRight')
      await stage(page).getByRole('heading', { name }).waitFor()
      await eventually(() => isOwn(page), true)
      expect([name, await coloursOf(page)]).toEqual([name, colours])
    }
    await page.keyboard.press('ArrowRight')
    await page.getByText('Preview is not available for this file.').waitFor()

    await page.keyboard.press('ArrowRight')
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

const misnamed = {
  'jpeg.tif': cameraJpeg,
  'png.jpg': await plain(600, 400, '#ff0000'),
  'tiff.jpg': files['1 pages #?&+.tif'],
  'webp.png': await twoColours(600, 400).webp().toBuffer(),
}

atRoot(
  { files: { 'photo.jpg': photo, misnamed }, people: [ann], flags: ['--disablePreviewResize'] },
  ({ server, window }) => {
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
  },
)
