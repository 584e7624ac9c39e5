import { beforeAll, expect, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { showFile } from '../../../../../test/components/show-file.tsx'
import { violations } from '../../../../../test/components/violations.ts'

beforeAll(async () => commands.addFiles('tables'))

const grid = page.getByRole('grid')
const press = async (...keys: readonly string[]) => userEvent.keyboard(keys.join(''))
const toStart = '{Control>}{Home}{/Control}'
const toEnd = '{Control>}{End}{/Control}'
const focusedText = () => document.activeElement?.textContent
/** Returns the texts of a column from the top. The first column contains the numbers of the rows. */
const column = (index: number) =>
  [...document.querySelectorAll('[data-part="table"] tbody tr')].map(
    (row) => row.children[index]?.textContent ?? '',
  )
const expectCount = async (text: string) =>
  expect.poll(() => document.querySelector('[data-part="row-count"]')?.textContent).toBe(text)
const heading = (name: string) => grid.getByRole('columnheader', { name, exact: true })
const sortBy = async (name: string) => heading(name).getByRole('button').click()
const choice = (name: string) => page.getByRole('combobox', { name })
const showFormat = async () => page.getByRole('button', { name: 'Table format' }).click()

/** Shows the table of people. */
async function showPeople(): Promise<void> {
  await showFile('/tables/people.csv')
  await expect.poll(() => column(1)).toEqual(['Zoë', 'Ben', 'Ann', '"broken', 'last'])
}

/** Shows the table of people with the focus on a cell. */
async function focusCell(name: string): Promise<void> {
  await showPeople()
  await grid.getByRole('gridcell', { name }).click()
}

test('the cells of a table are only text', async () => {
  await showPeople()
  expect(column(3).slice(0, 3)).toEqual([
    'said "hi", twice',
    '=HYPERLINK("https://evil.example/";"click")',
    '<script>top.hacked = 1</script><img src=x onerror="top.hacked = 1">',
  ])
  expect(document.querySelectorAll('[data-part="table"] :is(a, script, img)').length).toBe(0)
  expect('hacked' in globalThis).toBe(false)
})

test('axe reports no violation of a table in either theme', async () => {
  await showPeople()
  expect(await violations('light')).toEqual([])
  expect(await violations('dark')).toEqual([])
})

test('the arrow keys move from cell to cell, and up to the names of the columns', async () => {
  await focusCell('Ben')
  await press('{ArrowRight}')
  expect(focusedText()).toBe('30')
  await press(toStart)
  expect(focusedText()).toBe('Zoë')
  await press('{ArrowUp}')
  expect(focusedText()).toBe('name')
})

const cellText = () => document.querySelector<HTMLElement>('[data-part="cell"]')

test('a long text is shown whole below the table, with its place', async () => {
  await focusCell('Ben')
  await press(toEnd)
  await expect.poll(() => cellText()?.innerText).toBe(`${'long '.repeat(100)}end`)
  expect(cellText()?.dataset['place']).toBe('note, row 5')
})

test('Enter on the name of a column sorts by it', async () => {
  await focusCell('Zoë')
  await press('{ArrowUp}{Enter}')
  await expect.poll(() => column(1)[1]).toBe('Ann')
})

// Journey: tables-1
test('numbers with a comma are sorted as numbers, in both directions and no longer', async () => {
  await showFile('/tables/decimal.csv')
  await expect.poll(() => column(1)).toEqual(['2', '10'])
  await sortBy('Preis')
  await expect.poll(() => column(2)).toEqual(['0,99', '1,50'])
  await expect.element(heading('Preis')).toHaveAttribute('aria-sort', 'ascending')
  await sortBy('Preis')
  await expect.poll(() => column(2)).toEqual(['1,50', '0,99'])
  await sortBy('Preis')
  await expect.element(heading('Preis')).toHaveAttribute('aria-sort', 'none')
})

test('rows are filtered by a text', async () => {
  await showFile('/tables/decimal.csv')
  await page.getByRole('searchbox', { name: 'Filter rows' }).fill('0,9')
  await expect.poll(() => column(0)).toEqual(['2'])
  await expectCount('1 of 2 rows')
})

test('a first row that is no header becomes a row', async () => {
  await showFile('/tables/decimal.csv')
  await showFormat()
  await page.getByRole('checkbox', { name: 'First row is a header' }).click()
  await expect.poll(() => column(1)).toEqual(['Stück', '2', '10'])
  await expect.element(heading('A')).toBeVisible()
})

test('the encoding of a table is chosen', async () => {
  await showFile('/tables/cyrillic.csv', { isQuick: true })
  await expect.poll(() => column(2)).toEqual(['Ìîñêâà'])
  await showFormat()
  await choice('Encoding').selectOptions('windows-1251')
  await expect.poll(() => column(2)).toEqual(['Москва'])
})

test('the separator of a table is chosen, and is detected again', async () => {
  await showFile('/tables/old.csv', { isQuick: true })
  await expect.poll(() => column(2)).toEqual(['Köln'])
  await showFormat()
  await choice('Column separator').selectOptions('Comma')
  await expect.element(grid).toHaveAttribute('aria-colcount', '2')
  await choice('Column separator').selectOptions('Detected')
  await expect.poll(() => column(2)).toEqual(['Köln'])
})

test('tabs separate columns, and the commas between them do not', async () => {
  await showFile('/tables/tabs.tsv', { isQuick: true })
  await expect.poll(() => column(1)).toEqual(['1, 2'])
})

test('the width of a column is changed by its edge and by keys, and fits its content after a double click', async () => {
  await showPeople()
  const width = () => Math.round(heading('note').element().getBoundingClientRect().width)
  const edge = grid.getByRole('separator', { name: 'Width of the column note' })
  const first = width()
  const { x, y } = edge.element().getBoundingClientRect()
  const move = (type: string, clientX: number) =>
    edge.element().dispatchEvent(
      new PointerEvent(type, {
        pointerId: 1,
        isPrimary: true,
        button: 0,
        buttons: 1,
        bubbles: true,
        clientX,
        clientY: y + 10,
      }),
    )
  move('pointerdown', x + 4)
  move('pointermove', x - 96)
  move('pointerup', x - 96)
  await expect.poll(width).toBe(first - 100)
  await edge.dblClick()
  await expect.poll(width).toBeGreaterThan(first + 200)
  heading('note').getByRole('button').element().focus()
  await press('{Tab}{Home}')
  await expect.poll(width).toBe(first)
  await press('{ArrowRight}')
  await expect.poll(width).toBe(first + 8)
})

test('a table of 5,000 columns has only those near the visible part in the document, and End leads to the last', async () => {
  await showFile('/tables/wide.csv', { isQuick: true })
  await expect.element(grid).toHaveAttribute('aria-colcount', '5001')
  expect(grid.element().querySelectorAll('td').length).toBeLessThan(60)
  await grid.getByRole('gridcell', { name: 'x' }).first().click()
  await press('{End}')
  await expect.poll(focusedText).toBe('end')
})

// Journey: tables-2
test('the last of a million rows is reached by a key and by the scrollbar, and all of them are sorted', async () => {
  await showFile('/tables/million.csv', { isQuick: true })
  await expect.poll(() => column(1)[0]).toBe('1')
  await expectCount('1,000,000 rows')
  await grid.getByRole('gridcell', { name: '1', exact: true }).first().click()
  // The next key can come before the worker has sent the rows, so the last row has the focus when the key was handled.
  const end = new KeyboardEvent('keydown', { key: 'End', ctrlKey: true, bubbles: true, cancelable: true })
  document.activeElement?.dispatchEvent(end)
  expect(document.activeElement?.getAttribute('data-row')).toBe('999999')
  await press(toStart)
  await expect.poll(focusedText).toBe('1')
  await press(toEnd, '{Home}')
  await expect.poll(focusedText).toBe('1000000')
  await press(toStart)
  await expect.poll(focusedText).toBe('1')
  const scrollTo = (top: number) => grid.element().parentElement?.scrollTo({ top })
  scrollTo(1e9)
  await expect.element(grid.getByRole('rowheader', { name: '1000000' })).toBeVisible()
  await sortBy('value')
  await expectCount('1,000,000 rows')
  scrollTo(0)
  await expect.poll(() => column(3).slice(0, 2)).toEqual(['0', '1'])
})
