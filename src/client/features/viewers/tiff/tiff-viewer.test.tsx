import { beforeAll, expect, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { coloursIn } from '../../../../../test/components/colours.ts'
import { showFile } from '../../../../../test/components/show-file.tsx'
import { violations } from '../../../../../test/components/violations.ts'

beforeAll(async () => commands.addFiles('decoded'))

const image = () => document.querySelector<HTMLImageElement>('img[data-loaded]')
const expectColours = async (left: string, right: string) =>
  expect.poll(() => coloursIn(image(), [0.2, 0.8])).toEqual([left, right])
/** True when the image on screen was decoded in the page, and not by the server. */
const expectOwn = async () => expect.poll(() => image()?.src.startsWith('blob:')).toBe(true)
const pages = page.getByRole('toolbar', { name: 'Pages' })

// Journey: images-1
test.each([1280, 390])(
  'at %i pixels the pages of a TIFF are decoded in the page, and turned by buttons and keys',
  async (width) => {
    await page.viewport(width, 800)
    await showFile('/decoded/pages #?&+.tif')
    await expectOwn()
    await expectColours('100', '100')
    await expect.element(pages.getByText('1 of 2')).toBeVisible()
    await pages.getByRole('button', { name: 'Next page' }).click()
    await expectColours('010', '010')
    await userEvent.keyboard('{PageUp}')
    await expectColours('100', '100')
    await expect.element(pages.getByText('1 of 2')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    expect(await violations()).toEqual([])
    await page.viewport(1280, 800)
  },
)

test('a TIFF with JPEG compression is decoded in the page, and enlarged to its pixels', async () => {
  await showFile('/decoded/photo.tiff')
  await expectOwn()
  await expectColours('100', '001')
  await userEvent.keyboard('1')
  await expect.poll(() => image()?.getBoundingClientRect().width).toBe(900)
})

test.each(['cut.tif', 'huge.tif'])('%s is not shown', async (name) => {
  await showFile(`/decoded/${name}`)
  await expect.element(page.getByText(/no preview|The file seems to be damaged/)).toBeVisible()
})

test('a TIFF whose pages lead back to the first has each page once', async () => {
  await showFile('/decoded/loop.tif')
  await expect.element(page.getByText('1 of 2')).toBeVisible()
  await expectColours('000', '000')
})
