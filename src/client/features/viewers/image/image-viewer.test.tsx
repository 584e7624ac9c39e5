import { afterEach, beforeAll, expect, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { colourOnScreen, coloursIn } from '../../../../../test/components/colours.ts'
import { fileOf, showFile } from '../../../../../test/components/show-file.tsx'
import { violations } from '../../../../../test/components/violations.ts'

beforeAll(async () => commands.addFiles('images'))
afterEach(async () => commands.mendRequests())

const image = () => document.querySelector<HTMLImageElement>('img[data-loaded]')
const original = page.getByRole('button', { name: 'Original quality' })
/** Waits until an image of this width in pixels is shown. */
const expectWidth = async (pixels: number) => expect.poll(() => image()?.naturalWidth).toBe(pixels)
const shownWidth = () => image()?.getBoundingClientRect().width ?? 0
/** Waits until a colour is in the middle of the image on screen. */
const expectOnScreen = async (colour: string) =>
  expect.poll(async () => colourOnScreen(image()?.parentElement ?? document.body)).toBe(colour)
const [red, green] = ['100', '010']
const canRetry = 'The original could not be loaded. Press again to retry.'

const shape = () => {
  const { naturalWidth = 0, naturalHeight = 0, clientWidth = 0, clientHeight = 0 } = image() ?? {}
  return [naturalWidth < naturalHeight, clientWidth < clientHeight, naturalHeight]
}

// Journey: images-2
test('a photo is shown by its preview and by its original as the camera was held', async () => {
  await showFile('/images/portrait.jpg')
  await expect.poll(shape).toEqual([true, true, 1080])
  await original.click()
  await expect.poll(shape).toEqual([true, true, 2400])
})

test('the original and the preview have the same size on screen, and the button tells which is shown', async () => {
  await showFile('/images/photo.jpg')
  await expectWidth(1080)
  const fitted = shownWidth()
  for (const pixels of [2400, 1080, 2400]) {
    await original.click()
    await expectWidth(pixels)
    await expect.element(original).toHaveAttribute('aria-pressed', String(pixels === 2400))
    expect(shownWidth()).toBe(fitted)
  }
})

test('an original that the connection lost is loaded again', async () => {
  await showFile('/images/lost.jpg')
  await expectWidth(1080)
  await commands.breakRequests({ pattern: '/api/raw/' })
  await original.click()
  await expect.element(original).toHaveAttribute('aria-description', canRetry)
  await commands.mendRequests()
  await original.click()
  await expectWidth(2400)
})

test.each(['animated.gif', 'animated.png', 'animated.webp'])('%s moves', async (name) => {
  await showFile(`/images/${name}`)
  await expect.poll(image).not.toBeNull()
  // The first frame is red.
  await expectOnScreen(green)
})

test.for(['drawing.svg', 'fuji.raf', 'phone.heic', 'still.avif'])('%s is shown', async (name, { skip }) => {
  const isThere = await fileOf(`/images/${name}`).catch(() => null)
  skip(isThere === null && name === 'phone.heic', 'This machine makes no such pictures.')
  await showFile(`/images/${name}`)
  await expect.poll(image).not.toBeNull()
  await expectOnScreen(red)
})

test('a RAW file of which only the server draws a picture keeps it when its original cannot be shown', async () => {
  await showFile('/images/fuji.raf')
  await original.click()
  await expect.element(original).toHaveAttribute('aria-description', canRetry)
  await expectOnScreen(red)
  expect(await violations()).toEqual([])
})

test('an image of 100 megapixels opens, is enlarged to its pixels, and is moved', async () => {
  await showFile('/images/huge.jpg')
  await expect.poll(() => coloursIn(image(), [0.2, 0.8]), { timeout: 50_000 }).toEqual(['100', '001'])
  await userEvent.keyboard('1')
  await expect.poll(() => Math.round(shownWidth())).toBe(12_000)
  const stage = image()?.parentElement ?? document.body
  const move = (type: string, clientX: number) =>
    stage.dispatchEvent(
      new PointerEvent(type, {
        pointerId: 1,
        isPrimary: true,
        buttons: 1,
        bubbles: true,
        clientX,
        clientY: 400,
      }),
    )
  move('pointerdown', 640)
  move('pointermove', 940)
  move('pointerup', 940)
  await expectOnScreen(red)
})
