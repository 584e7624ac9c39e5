import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { showFile } from '../../../../../test/components/show-file.tsx'
import { violations } from '../../../../../test/components/violations.ts'

beforeAll(async () => commands.addFiles('pdf'))
afterEach(async () => page.viewport(1280, 800))

const tools = page.getByRole('toolbar')
const panel = page.getByRole('complementary', { name: 'Pages and contents' })
const picture = (number: number) => panel.getByRole('button', { name: `Page ${number}`, exact: true })
const field = tools.getByRole('textbox', { name: 'Page number' })
const frame = (number: number) =>
  document.querySelector<HTMLElement>(`[data-part="pdf"] [data-page="${number}"]`)
const drawing = (number: number) => frame(number)?.querySelector('canvas') ?? null
const expectDrawn = async (number: number) => expect.poll(() => drawing(number)).not.toBeNull()
const press = async (...keys: readonly string[]) => userEvent.keyboard(keys.join(''))
const expectText = async (text: string) => expect.element(page.getByText(text, { exact: true })).toBeVisible()
/** Returns the number of different colours in the drawing of a page. */
const colours = (number: number) => {
  const canvas = drawing(number)
  const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
  return new Set(Array.from(data).filter((_, index) => index % 4 === 0)).size
}

async function showReport(): Promise<void> {
  await showFile('/pdf/report #?&+.pdf')
  await expectDrawn(1)
}

async function search(word: string): Promise<void> {
  await press('{Control>}f{/Control}')
  await expect.element(page.getByRole('searchbox')).toHaveFocus()
  await press(word)
}

// Journey: pdf-1
test.each([1280, 390])(
  'at %i pixels the text that can be selected lies over the drawn text',
  async (width) => {
    await page.viewport(width, 800)
    await showReport()
    await expect.poll(() => colours(1)).toBeGreaterThan(1)
    const line = page.getByText('Page 1 of the report')
    await expect.element(line).toBeInTheDocument()
    const [outer, inner] = [frame(1)!.getBoundingClientRect(), line.element().getBoundingClientRect()]
    expect(outer.right).toBeLessThanOrEqual(width)
    // The text is 20 of 300 points from the left, and 100 of 200 above the lower edge.
    expect((inner.x - outer.x) / outer.width).toBeCloseTo(20 / 300, 1)
    expect((inner.y - outer.y) / outer.height).toBeCloseTo(0.43, 1)
    // The middle of the line may be a gap between two words, which depends on the fonts of the machine.
    await line.dblClick({ position: { x: 3, y: 3 } })
    expect(String(getSelection()).trim()).not.toBe('')
    expect(await violations()).toEqual([])
  },
)

test('the pages of a document of 96 pixels per inch are 100 percent wide', async () => {
  await showReport()
  // The pages of this document are 300 points wide, which are 400 pixels at 96 pixels per inch.
  const percent = Math.round((frame(1)!.getBoundingClientRect().width / 400) * 100)
  await expect.element(tools.getByText(`${percent}%`)).toBeVisible()
})

// Journey: pdf-2
test('a search in any letters finds a word on a far page, marks it, and releases the pages that are far now', async () => {
  await showReport()
  await search('HARVEST')
  await expectText('1 of 1')
  await expectDrawn(9)
  await expect.poll(() => CSS.highlights.get('pdf-current-match')?.size).toBe(1)
  const mark = page.getByText(/harvest/).element()
  expect(getComputedStyle(mark, '::highlight(pdf-current-match)').backgroundColor).toBe(
    'rgba(255, 138, 0, 0.6)',
  )
  await expect.poll(() => drawing(1)).toBeNull()
})

test('the matches of a search are gone through in both directions, by keys and by buttons', async () => {
  await showReport()
  await search('report')
  await expectText('1 of 11')
  await press('{Shift>}{Enter}{/Shift}')
  await expectText('11 of 11')
  await tools.getByRole('button', { name: 'Next match' }).click()
  await expectText('1 of 11')
})

test('a page is reached by its number', async () => {
  await showReport()
  await field.fill('3')
  await press('{Enter}')
  await expectDrawn(3)
  await expect.element(field).toHaveValue('3')
})

test('all pages are printed, and leave the document afterwards', async () => {
  await showReport()
  let printed = 0
  const { print } = globalThis
  onTestFinished(() => {
    globalThis.print = print
  })
  globalThis.print = () => {
    const images = [...document.querySelectorAll<HTMLImageElement>('.printed-pages > img')]
    printed = images.filter(({ naturalWidth }) => naturalWidth > 100).length
  }
  await tools.getByRole('button', { name: 'Print' }).click()
  await expect.poll(() => printed).toBe(12)
  await expect.poll(() => document.querySelector('.printed-pages')).toBeNull()
})

const width = () => Math.round(frame(1)?.getBoundingClientRect().width ?? 0)

test('the pages are enlarged by a key, and fitted again by another one', async () => {
  await showReport()
  const before = width()
  await press('+')
  await expect.poll(width).toBeGreaterThan(before)
  await press('0')
  await expect.poll(width).toBe(before)
})

test.each([
  ['damaged.pdf', /The file seems to be damaged/],
  ['repeated.pdf', /no preview/],
])('%s is not shown', async (name, reason) => {
  await showFile(`/pdf/${name}`)
  await expect.element(page.getByText(reason)).toBeVisible()
})

test('the panel has small pictures of the near pages, which keys and Enter lead to', async () => {
  await showFile('/pdf/contents.pdf')
  await expect.poll(() => picture(1).query()?.querySelector('canvas') ?? null).not.toBeNull()
  await expect.element(picture(1)).toHaveAttribute('aria-current', 'page')
  expect(panel.element().querySelectorAll('button[data-thumbnail]').length).toBe(12)
  picture(1).element().focus()
  await press('{End}')
  await expect.poll(() => picture(12).query()?.querySelector('canvas') ?? null).not.toBeNull()
  await press('{ArrowUp}{Enter}')
  await expect.element(picture(11)).toHaveAttribute('aria-current', 'page')
  await expectDrawn(11)
})

const lines = () =>
  [...document.querySelectorAll<HTMLElement>('aside ol button')].map(({ innerText }) => innerText)

test('the contents in the panel are only text, and lead to their pages', async () => {
  await showFile('/pdf/contents.pdf')
  await panel.getByRole('button', { name: 'Contents' }).click()
  await expect.poll(lines).toEqual(['Sowing', 'In spring', 'Harvest <b>time</b>'])
  await panel.getByRole('button', { name: 'In spring' }).click()
  await expect.element(field).toHaveValue('5')
  expect(await violations('dark')).toEqual([])
  await panel.getByRole('button', { name: 'Pages', exact: true }).click()
})

const top = (number: number) => frame(number)?.getBoundingClientRect().y ?? Infinity

test('in a narrow window a picture in the panel leads to its page and closes the panel', async () => {
  await page.viewport(390, 844)
  await showFile('/pdf/contents.pdf')
  await expectDrawn(1)
  await tools.getByRole('button', { name: 'Pages and contents' }).click()
  await picture(3).click()
  await expect.element(panel).not.toBeInTheDocument()
  await expect.poll(() => top(3) < 300 && top(4) > 300).toBe(true)
})

const password = page.getByLabelText('Password of the document', { exact: true })

test('an encrypted document is shown with its password, and a wrong one is named', async () => {
  await showFile('/pdf/secret.pdf')
  await password.fill('wrong')
  await press('{Enter}')
  await expectText('This is not the password of the document.')
  await expect.element(password).toHaveFocus()
  expect(await violations()).toEqual([])
  await password.fill('open sesame')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect.element(page.getByText('The secret harvest')).toBeInTheDocument()
})

test('an encrypted document without its password is not shown', async () => {
  await showFile('/pdf/secret.pdf')
  await expect.element(password).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expectText('no preview')
})
