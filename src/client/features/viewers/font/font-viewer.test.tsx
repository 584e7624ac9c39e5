import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { showFile } from '../../../../../test/components/show-file.tsx'
import { violations } from '../../../../../test/components/violations.ts'

const alphabet = () => page.getByText('abcdefghijklmnopqrstuvwxyz', { exact: true })
const isShown = async () => expect.element(alphabet()).toBeVisible()

test('the letters of a font are shown in the font', async () => {
  await showFile('/fonts/plain.ttf')
  await isShown()
  const { fontFamily } = getComputedStyle(alphabet().element())
  expect(document.fonts.check(`16px ${fontFamily}`)).toBe(true)
})

test('the characters that a font has are listed', async () => {
  await showFile('/fonts/plain.ttf')
  const list = page.getByRole('list', { name: '400 characters of the font' })
  await expect.element(list.getByText('é', { exact: true })).toBeInTheDocument()
})

test('a typed sample is shown in eight sizes', async () => {
  await showFile('/fonts/plain.ttf')
  await page.getByLabelText('Sample text').fill('Žluťoučký kůň')
  await expect.poll(() => page.getByText('Žluťoučký kůň').elements().length).toBe(8)
})

test('the name of a font cannot break out of a style sheet', async () => {
  await showFile('/fonts/a"; } * { display: none } b.WOFF')
  await isShown()
  await expect.element(page.getByText('a"; } * { display: none } b')).toBeVisible()
})

test.each(['cut.otf', 'text.woff2'])('%s is no font, and leaves none in the page', async (file) => {
  await showFile(`/fonts/${file}`)
  await expect.element(page.getByText(/no preview|The file seems to be damaged/)).toBeVisible()
  expect(document.fonts.size).toBe(0)
})

test('a font leaves the page with its viewer', async () => {
  const { end } = await showFile('/fonts/plain.ttf')
  await isShown()
  await expect.poll(() => document.fonts.size).toBe(1)
  end()
  await expect.poll(() => document.fonts.size).toBe(0)
})

test('the quick look has the letters without a field', async () => {
  await showFile('/fonts/plain.ttf', { isQuick: true })
  await expect.element(page.getByText('0123456789', { exact: true })).toBeVisible()
  expect(page.getByLabelText('Sample text').elements()).toEqual([])
})

test.each([1280, 390])(
  'a font fits into a window of %i pixels, and axe reports no violation',
  async (width) => {
    await page.viewport(width, 800)
    await showFile('/fonts/plain.ttf')
    await page.getByLabelText('Sample text').fill('Žluťoučký kůň')
    expect(document.querySelector('[data-part="font"]')?.scrollWidth).toBeLessThanOrEqual(width)
    expect(await violations()).toEqual([])
    await page.viewport(1280, 800)
  },
)
