import { beforeAll, beforeEach, expect, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { showFile } from '../../../../../test/components/show-file.tsx'
import { violations } from '../../../../../test/components/violations.ts'

beforeAll(async () => commands.addFiles('books'))
// The places in books are kept in the storage.
beforeEach(() => localStorage.clear())

const plain = '/books/plain #?&+.epub'
const tools = page.getByRole('toolbar')
const tool = (name: string) => tools.getByRole('button', { name, exact: true })
const area = page.getByRole('region', { name: 'plain #?&+.epub' })
const contents = page.getByRole('region', { name: 'Table of contents' })
const expectText = async (text: string) =>
  expect.element(page.getByText(text, { exact: true }).first()).toBeVisible()
const expectChapter = async (name: string) =>
  expect.element(page.getByRole('heading', { name })).toBeVisible()
const press = async (...keys: readonly string[]) => userEvent.keyboard(keys.map((key) => `{${key}}`).join(''))
const expectImage = async (name?: string) =>
  expect
    .poll(() => {
      const image = page.getByRole('img', name === undefined ? {} : { name }).query()
      return image instanceof HTMLImageElement ? image.naturalWidth : 0
    })
    .toBeGreaterThan(0)

/** Shows the second chapter of the plain book, which is longer than the screen. */
async function showLongChapter() {
  const rendering = await showFile(plain)
  await expectChapter('The cover')
  await press('ArrowRight')
  await expectChapter('The second')
  return rendering
}
const line = () => page.getByText('Paragraph 60 of the long chapter.').element()
const top = () => Math.round(line().getBoundingClientRect().top / 60)
const textSize = () => Number.parseFloat(getComputedStyle(line()).fontSize)
const expectEnd = async () =>
  expect
    .poll(() => page.getByText('Here it ends.').query()?.getBoundingClientRect().top ?? Infinity)
    .toBeLessThan(innerHeight)

test('a book begins with its first chapter, whose drawing has its picture', async () => {
  await showFile(plain)
  await expectChapter('The cover')
  await expectImage('Drawn cover')
})

test('a book sets the shape of its text, and the program the colour', async () => {
  await showFile(plain)
  await expectText('soft text')
  const { fontStyle, color } = getComputedStyle(page.getByText('soft text').element())
  expect([fontStyle, color]).toEqual(['italic', getComputedStyle(document.body).color])
})

test.each([
  [1280, true],
  [390, false],
])(
  'at %i pixels the table of contents leads to a place in a chapter, and stays open: %s',
  async (width, stays) => {
    await page.viewport(width, 800)
    await showFile(plain)
    await expectChapter('The cover')
    expect(await violations()).toEqual([])
    await tool('Table of contents').click()
    await expect.element(contents).toBeVisible()
    expect(
      contents
        .getByRole('button')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['The part 1', 'The end of 1', 'The part 2', 'The end of 2', 'The part 3', 'The end of 3'])
    expect(await violations()).toEqual([])
    await contents.getByRole('button', { name: 'The end of 2' }).click()
    await expectChapter('The second')
    await expectEnd()
    await expect.poll(() => contents.elements().length).toBe(stays ? 1 : 0)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    await page.viewport(1280, 800)
  },
)

test('Escape closes the table of contents', async () => {
  await showFile('/books/old.epub')
  await tool('Table of contents').click()
  await contents.getByRole('button', { name: 'The part 3' }).click()
  await expectChapter('The third')
  contents.getByRole('button', { name: 'The part 3' }).element().focus()
  await press('Escape')
  await expect.element(contents).not.toBeInTheDocument()
})

test('a link to the web opens a tab of its own', async () => {
  await showFile(plain)
  const link = page.getByRole('link', { name: 'web' })
  await expect.element(link).toHaveAttribute('target', '_blank')
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
})

test('a link leads to its place in another chapter, and a link to nowhere does nothing', async () => {
  const address = location.href
  await showFile(plain)
  await page.getByRole('link', { name: 'nowhere' }).click()
  await expectChapter('The cover')
  await page.getByRole('link', { name: 'to the end' }).click()
  await expectEnd()
  expect(location.href).toBe(address)
})

test('the button below a chapter leads to the next one, until the last', async () => {
  await showLongChapter()
  await press('End')
  await area.getByRole('button', { name: 'Next chapter' }).click()
  await expectChapter('The third')
  await expect.element(tool('Next chapter')).toHaveAttribute('aria-disabled', 'true')
  await press('ArrowLeft')
  await expectChapter('The second')
})

test('a book that is opened again continues at its place', async () => {
  const { end } = await showLongChapter()
  line().scrollIntoView({ block: 'start' })
  const before = top()
  // The place is saved once the scrolling has ended.
  await expect.poll(() => JSON.stringify(Object.values(localStorage))).toMatch(/\[1,\d\d/)
  end()
  await showFile(plain)
  await expectText('Paragraph 60 of the long chapter.')
  await expect.poll(top).toBe(before)
})

test('a larger text stays when the book is opened again', async () => {
  const { end } = await showLongChapter()
  const before = textSize()
  await tool('Larger text').click()
  await expect.poll(textSize).toBeGreaterThan(before)
  end()
  await showFile(plain)
  await expectText('Paragraph 60 of the long chapter.')
  expect(textSize()).toBeGreaterThan(before)
  await tool('Smaller text').click()
})

test('the table of contents of the older format has its three lines', async () => {
  await showFile('/books/old.epub')
  await tool('Table of contents').click()
  await expect.poll(() => contents.getByRole('button').elements().length).toBe(3)
})

test('a book from right to left continues with the left arrow', async () => {
  await showFile('/books/without contents.epub')
  await expectChapter('The cover')
  await press('ArrowLeft')
  await expectChapter('The second')
})

test('a book without a table of contents gets a line for each chapter', async () => {
  await showFile('/books/without contents.epub')
  await tool('Table of contents').click()
  await expect
    .poll(() =>
      contents
        .getByRole('button')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(['Chapter 1', 'Chapter 2', 'Chapter 3'])
})

test('the quick look has the first chapter without a button', async () => {
  await showFile(plain, { isQuick: true })
  await expectChapter('The cover')
  expect(page.getByRole('button').elements()).toEqual([])
})

test('an encrypted book says so', async () => {
  await showFile('/books/protected.epub')
  await expectText('This book is encrypted.')
  expect(await violations()).toEqual([])
})

test('a book of which only the fonts are protected is read', async () => {
  await showFile('/books/fonts.epub')
  await expectText('Readable.')
})

test.each(['laughs.epub', 'cut.epub', 'no book.epub'])('%s is not shown', async (name) => {
  await showFile(`/books/${name}`)
  await expect.element(page.getByText(/no preview|The file seems to be damaged/)).toBeVisible()
})

// A locator looks at all elements, of which this book has so many that it would take seconds.
const counterText = () => document.querySelector('[role="toolbar"] output')?.textContent
const bookText = () => document.querySelector('[data-part="book"]')?.textContent
const chapterText = () =>
  [...document.querySelectorAll('[data-part="book"] div')]
    .map(({ shadowRoot }) => shadowRoot?.textContent)
    .find((text) => text !== undefined)

test('chapters that would keep the browser busy are named, and the others are shown', async () => {
  await showFile('/books/huge.epub')
  for (const chapter of [1, 2, 3]) {
    await expect.poll(counterText).toBe(`${chapter} of 4`)
    await expect.poll(bookText).toContain('This chapter is damaged or too large.')
    await press('ArrowRight')
  }
  await expect.poll(counterText).toBe('4 of 4')
  await expect.poll(chapterText).toContain('The last one.')
})

test('chapters of unusual kinds are shown, and those that are not listed or cannot be shown are named', async () => {
  await showFile('/books/odd spine.epub')
  await expectText('An old page.')
  await press('ArrowRight')
  await expectImage()
  await press('ArrowRight')
  await expectText('In the place of a film.')
  await press('ArrowRight')
  await expectText('The file of this chapter is missing in the book: unlisted')
  await press('ArrowRight')
  await expectText('This chapter is damaged or too large.')
  await expect.element(tools.getByText('5 of 5')).toBeVisible()
})

test('chapters are found by other forms of their names, a drawing is a chapter, and a missing one is named', async () => {
  await showFile('/books/other names.epub')
  for (const text of [
    'Composed letters.',
    'Percent signs.',
    'A percent sign of its own.',
    'Other letters.',
  ]) {
    await expectText(text)
    await press('ArrowRight')
  }
  await expectImage('A red field')
  expect('hacked' in window).toBe(false)
  await press('ArrowRight')
  await expectText('The file of this chapter is missing in the book: OEBPS/text/gone.xhtml')
  await expect.element(tools.getByText('6 of 6')).toBeVisible()
  expect(await violations()).toEqual([])
})
