import { beforeAll, expect, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { showFile } from '../../../../../test/components/show-file.tsx'

beforeAll(async () => commands.addFiles('texts'))

/** As in `test/components/text-files.ts`. */
const [chapterCount, rowCount] = [800, 600]
/** Returns the root of the document, which is a shadow root. */
const root = () =>
  [...document.querySelectorAll('section')]
    .map(({ shadowRoot }) => shadowRoot)
    .find((shadow) => shadow !== null)
const all = <Found extends Element>(selector: string) => [
  ...(root()?.querySelectorAll<Found>(selector) ?? []),
]
const expectHeading = async (name: string) =>
  expect.element(page.getByRole('heading', { name }).first()).toBeInTheDocument()

test('a document is shown with its front matter as a table', async () => {
  await showFile('/texts/other.md', { isQuick: true })
  await expectHeading('The other one')
  await expect.element(page.getByRole('row', { name: 'title Front' })).toBeVisible()
  expect(all('article :is(h1, h2, h3)').length).toBe(1)
})

test('a picture is found by another form of its name', async () => {
  await showFile('/texts/other.md', { isQuick: true })
  await expect.poll(() => all<HTMLImageElement>('img')[0]?.naturalWidth ?? 0).toBeGreaterThan(0)
})

test('a long document grows part by part', async () => {
  const counts = new Set<number>()
  await showFile('/texts/long.md', { isQuick: true })
  await expect
    .poll(
      () => {
        const count = all('h1').length
        if (count > 0) counts.add(count)
        return count
      },
      { interval: 1 },
    )
    .toBe(chapterCount)
  expect(counts.size).toBeGreaterThan(1)
})

test('a link leads to a part of the document that comes later', async () => {
  await showFile('/texts/long.md', { isQuick: true })
  await expect.poll(() => all('a').length).toBeGreaterThan(0)
  await userEvent.click(all('a')[0] ?? document.body)
  await expect.poll(() => all('h1').at(-1)?.getBoundingClientRect().top ?? Infinity).toBeLessThan(innerHeight)
})

test('a long table is one table, whose columns are aligned', async () => {
  await showFile('/texts/blocks.md', { isQuick: true })
  await expect.element(page.getByText('The end.')).toBeInTheDocument()
  expect(all('table').length).toBe(1)
  expect([all('thead tr').length, all('tbody tr').length]).toEqual([1, rowCount])
  expect(all('tbody').length).toBeGreaterThan(1)
  const edges = all('tr > :last-child').map((cell) => Math.round(cell.getBoundingClientRect().left))
  expect(new Set(edges).size).toBe(1)
})

test('the parts of a long list continue the numbers', async () => {
  await showFile('/texts/blocks.md', { isQuick: true })
  await expect.element(page.getByText('The end.')).toBeInTheDocument()
  const lists = all<HTMLOListElement>('article > ol')
  expect(lists.length).toBeGreaterThan(1)
  let next = 1
  for (const { start, childElementCount } of lists) {
    expect(start).toBe(next)
    next += childElementCount
  }
  expect(next).toBe(rowCount + 1)
})

test('a document above the 10 MB of a text is shown by its beginning', async () => {
  await showFile('/texts/very long.md', { isQuick: true })
  await expectHeading('The beginning')
})
