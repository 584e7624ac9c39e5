import { beforeAll, beforeEach, expect, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { showFile } from '../../../../../test/components/show-file.tsx'
import { violations } from '../../../../../test/components/violations.ts'

beforeAll(async () => commands.addFiles('comics'))
// The places in comics are kept in the storage.
beforeEach(() => localStorage.clear())

const plain = '/comics/plain #?&+.cbz'
const tools = page.getByRole('toolbar')
const press = async (...keys: readonly string[]) => userEvent.keyboard(keys.map((key) => `{${key}}`).join(''))
const expectCounter = async (text: string) =>
  expect.element(tools.getByRole('status')).toHaveTextContent(text)
/** Waits until a page is shown. The pages are told apart by the widths of their images. */
const expectPage = async (number: number) =>
  expect
    .poll(() => {
      const image = document.querySelector<HTMLImageElement>('[data-page]:not([hidden]) img')
      return (image?.naturalWidth ?? 0) - 100
    })
    .toBe(number)
const image = (number: number) => document.querySelector(`[data-page="${number}"] img`)

async function showComic() {
  const rendering = await showFile(plain)
  await expectPage(1)
  return rendering
}

async function choose(option: string): Promise<void> {
  await tools.getByRole('button', { name: 'Reading options' }).click()
  await page.getByRole('menuitem', { name: option }).click()
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
}

/** Clicks the stage at a part of its width. */
async function clickAt(part: number): Promise<void> {
  const stage = document.querySelector<HTMLElement>('[data-part="comic"] [data-zoomed]')
  if (stage === null) throw new Error('No page is shown.')
  const { width, height } = stage.getBoundingClientRect()
  await userEvent.click(stage, { position: { x: width * part, y: height * 0.2 } })
}

test('the pages are turned by the arrows, Space, Home and End, in the order of their numbers', async () => {
  await showComic()
  for (const [key, number] of [
    ['ArrowRight', 2],
    [' ', 3],
    ['ArrowLeft', 2],
    ['End', 12],
    ['Home', 1],
  ] as const) {
    await press(key)
    await expectPage(number)
  }
})

test('the last page has no next one', async () => {
  await showComic()
  await press('End', 'ArrowRight')
  await expectCounter('12 of 12')
})

test('a click at the side of a page turns it', async () => {
  await showComic()
  await press('End')
  await expectPage(12)
  await clickAt(0.3)
  await expectPage(11)
  await clickAt(0.7)
  await expectPage(12)
})

test('the slider and the button lead to a page', async () => {
  await showComic()
  await tools.getByRole('slider', { name: 'Page number' }).fill('9')
  await expectPage(10)
  await tools.getByRole('button', { name: 'Next page' }).click()
  await expectPage(11)
})

test.each([1280, 390])(
  'a comic fits into a window of %i pixels, and axe reports no violation',
  async (width) => {
    await page.viewport(width, 800)
    await showComic()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    expect(await violations()).toEqual([])
    await page.viewport(1280, 800)
  },
)

test('a click and the keys turn pages in a narrow window, too', async () => {
  await page.viewport(390, 800)
  await showComic()
  await press('ArrowRight')
  await expectPage(2)
  await clickAt(0.7)
  await expectPage(3)
  await page.viewport(1280, 800)
})

test('the direction from right to left turns the arrows and the buttons around', async () => {
  await showComic()
  await choose('Right to left')
  await press('ArrowLeft', 'ArrowLeft')
  await expectPage(3)
  const [previous, next] = ['Previous page', 'Next page'].map(
    (name) => tools.getByRole('button', { name }).element().getBoundingClientRect().x,
  )
  expect(previous).toBeGreaterThan(next ?? Infinity)
})

test('a comic that is opened again continues at its page in its direction', async () => {
  const { end } = await showComic()
  await choose('Right to left')
  await press('ArrowLeft', 'ArrowLeft')
  await expectPage(3)
  end()
  await showFile(plain)
  await expectPage(3)
  await press('ArrowRight')
  await expectPage(2)
})

test('pages below each other scroll, and are released far away, also when the comic is opened again', async () => {
  const { end } = await showComic()
  await choose('Pages below each other')
  await expect.poll(() => image(1)).not.toBeNull()
  await press('ArrowRight')
  await expectCounter('2 of 12')
  await press('End')
  await expectCounter('12 of 12')
  await expect.poll(() => image(12)).not.toBeNull()
  await expect.poll(() => image(1)).toBeNull()
  page.getByRole('region', { name: 'plain #?&+.cbz' }).element().scrollTo(0, 0)
  await expectCounter('1 of 12')
  end()
  await showFile(plain)
  await expect.poll(() => image(1)).not.toBeNull()
  expect(await violations()).toEqual([])
  await choose('One page')
  await expectPage(1)
})

test('the quick look has the first page without a button', async () => {
  await showFile(plain, { isQuick: true })
  await expectPage(1)
  expect(page.getByRole('button').elements()).toEqual([])
})

test.each(['cut.cbz', 'no images.cbz'])('%s is not shown', async (name) => {
  await showFile(`/comics/${name}`)
  await expect.element(page.getByText(/no preview|The file seems to be damaged/)).toBeVisible()
})
