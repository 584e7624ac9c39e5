import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const people = `name,age,note
Zoë,9,"said ""hi"", twice"
Ben,30,=HYPERLINK("https://evil.example/";"click")
Ann,100,<script>top.hacked = 1</script><img src=x onerror="top.hacked = 1">
"broken,1,quote
last,7,${'long '.repeat(100)}end
`

const files = {
  'decimal.csv': 'Stück;Preis\n2;1,50\n10;0,99\n',
  'old.csv': Buffer.from('name;ort\nM\xfcller;K\xf6ln\n', 'latin1'),
  'cyrillic.csv': Buffer.from('e8ecff3be3eef0eee40ac0ededa03bcceef1eae2e00a', 'hex'),
  'keys.csv': people,
  'people.csv': people,
  'tabs.tsv': 'a\tb\n1, 2\t3\n',
  'wide.csv': `${Array.from({ length: 5000 }, (_, column) => `c${column}`).join(',')}\n${'x,'.repeat(4999)}end\n`,
}

const table = (page: Page) => page.locator('[data-part="table"]')
const grid = (page: Page) => table(page).getByRole('grid')
const panelOf = (page: Page) => page.locator('[data-part="quick-look"]')
const countOf = (page: Page) => table(page).locator('[data-part="row-count"]')
const cellText = (page: Page) => table(page).locator('[data-part="cell"]')
/** Returns the texts of a column from the top. The first column contains the numbers of the rows. */
const column = (page: Page, index: number) =>
  grid(page)
    .locator('tbody tr')
    .evaluateAll((rows, index) => rows.map((row) => row.children[index]?.textContent ?? ''), index)
const showFormat = (page: Page) => page.getByRole('button', { name: 'Table format' }).click()
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

atRoot({ files }, ({ server, window }) => {
  const openList = async (options: Parameters<typeof window>[0] = {}) => {
    const page = await window(options)
    await signIn(page, server(), ann)
    return page
  }
  const openBesideEditor = async (name: string) => {
    const page = await openList()
    await rowOf(page, name).dblclick()
    await grid(page).waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Show the table' }).click()
    await page.locator('[data-part="text-rendering"]').waitFor()
    await grid(page).waitFor()
    return page
  }
  const openQuickLook = async (name: string) => {
    const page = await openList()
    await rowOf(page, name).click()
    await page.keyboard.press('Space')
    await panelOf(page).getByRole('grid').waitFor()
    return page
  }

  // Journey: tables-1
  test('a table is shown beside its source and follows the typing, its cells are only text, the arrow keys move from cell to cell, and its rows are sorted and filtered', async () => {
    const page = await openBesideEditor('people.csv')
    await eventually(() => column(page, 1), ['Zoë', 'Ben', 'Ann', '"broken', 'last'])
    expect((await column(page, 3)).slice(0, 3)).toEqual([
      'said "hi", twice',
      '=HYPERLINK("https://evil.example/";"click")',
      '<script>top.hacked = 1</script><img src=x onerror="top.hacked = 1">',
    ])
    expect(await table(page).locator('a, script, img').count()).toBe(0)
    await page.locator('[data-part="editor"]').getByRole('textbox').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('typed,1,2')
    await eventually(async () => (await column(page, 1)).at(-1), 'typed')
    await eventually(() => countOf(page).innerText(), '6 rows')
    expect(await violationsIn(page, 'light')).toEqual([])
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    await page.locator('[data-part="editor"]').getByRole('textbox').focus()
    await page.keyboard.press('Control+s')
    await page.locator('[data-state="saved"]').waitFor()

    await page.getByRole('button', { name: 'Close the file' }).click()
    await rowOf(page, 'keys.csv').dblclick()
    await grid(page).getByRole('gridcell', { name: 'Ben' }).click()
    await page.keyboard.press('ArrowRight')
    expect(await focusedText(page)).toBe('30')
    await page.keyboard.press('Control+End')
    await eventually(() => cellText(page).innerText(), `${'long '.repeat(100)}end`)
    expect(await cellText(page).getAttribute('data-place')).toBe('note, row 5')
    await page.keyboard.press('Control+Home')
    expect(await focusedText(page)).toBe('Zoë')
    await page.keyboard.press('ArrowUp')
    expect(await focusedText(page)).toBe('name')
    await page.keyboard.press('Enter')
    await eventually(async () => (await column(page, 1))[1], 'Ann')
    expect(new URL(page.url()).pathname).toBe('/files/keys.csv')

    await page.getByRole('button', { name: 'Close the file' }).click()
    await rowOf(page, 'decimal.csv').dblclick()
    await eventually(() => column(page, 1), ['2', '10'])
    const heading = grid(page).getByRole('columnheader', { name: 'Preis' })
    await heading.getByRole('button').click()
    await eventually(() => column(page, 2), ['0,99', '1,50'])
    expect(await heading.getAttribute('aria-sort')).toBe('ascending')
    await heading.getByRole('button').click()
    await eventually(() => column(page, 2), ['1,50', '0,99'])
    await heading.getByRole('button').click()
    await eventually(() => heading.getAttribute('aria-sort'), 'none')
    await page.getByRole('searchbox', { name: 'Filter rows' }).fill('0,9')
    await eventually(() => column(page, 0), ['2'])
    await eventually(() => countOf(page).innerText(), '1 of 2 rows')
    await page.getByRole('searchbox', { name: 'Filter rows' }).fill('')
    await showFormat(page)
    await page.getByRole('checkbox', { name: 'First row is a header' }).click()
    await eventually(() => column(page, 1), ['Stück', '2', '10'])
    await grid(page).getByRole('columnheader', { name: 'A', exact: true }).waitFor()
  })

  test('the quick look shows the table alone: its separator and encoding are chosen, its columns are resized, and there may be thousands of them', async () => {
    const page = await openQuickLook('cyrillic.csv')
    await eventually(() => column(page, 2), ['Ìîñêâà'])
    await showFormat(page)
    await table(page).getByLabel('Encoding').selectOption('windows-1251')
    await eventually(() => column(page, 2), ['Москва'])
    await table(page).getByLabel('Column separator').selectOption('Comma')
    await eventually(() => grid(page).getAttribute('aria-colcount'), '2')
    await table(page).getByLabel('Column separator').selectOption('Detected')
    await eventually(() => column(page, 2), ['Москва'])
    await page.keyboard.press('Escape')

    await rowOf(page, 'keys.csv').click()
    await page.keyboard.press('Space')
    const note = grid(page).getByRole('columnheader', { name: 'note' })
    const edge = grid(page).getByRole('separator', { name: 'Width of the column note' })
    const width = async () => Math.round((await note.boundingBox())?.width ?? 0)
    await note.waitFor()
    const first = await width()
    const place = await edge.boundingBox()
    await page.mouse.move((place?.x ?? 0) + 4, (place?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move((place?.x ?? 0) - 96, (place?.y ?? 0) + 10, { steps: 3 })
    await page.mouse.up()
    await eventually(width, first - 100)
    await edge.dblclick()
    await eventually(async () => (await width()) > first + 200, true)
    await note.getByRole('button').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Home')
    await eventually(width, first)
    await page.keyboard.press('ArrowRight')
    await eventually(width, first + 8)
    expect(await violationsIn(page, 'light')).toEqual([])
    await page.keyboard.press('Escape')
    await panelOf(page).waitFor({ state: 'detached' })

    await rowOf(page, 'old.csv').click()
    await page.keyboard.press('Space')
    await eventually(() => column(page, 2), ['Köln'])
    expect(await violationsIn(page, 'dark')).toEqual([])
    await page.keyboard.press('Escape')
    await rowOf(page, 'tabs.tsv').click()
    await page.keyboard.press('Space')
    await eventually(() => column(page, 1), ['1, 2'])
    await page.keyboard.press('ArrowDown')
    await eventually(() => grid(page).getAttribute('aria-colcount'), '5001')
    expect(await grid(page).locator('td').count()).toBeLessThan(60)
    await grid(page).getByRole('gridcell', { name: 'x' }).first().click()
    await page.keyboard.press('End')
    await eventually(() => focusedText(page), 'end')
    await page.keyboard.press('Escape')
    await panelOf(page).waitFor({ state: 'detached' })
  })

  // Journey: tables-2
  test('the last of a million rows is reached by a key and by the scrollbar', async () => {
    const lines = Array.from(
      { length: 1_000_000 },
      (_, row) => `${row + 1},name ${row % 977},${(row * 7919) % 1_000_003}`,
    )
    await writeFile(path.join(server().folder, 'million.csv'), `id,name,value\n${lines.join('\n')}\n`)
    const page = await openQuickLook('million.csv')
    await eventually(async () => (await column(page, 1))[0], '1')
    await eventually(() => countOf(page).innerText(), '1,000,000 rows')
    await grid(page).getByRole('gridcell', { name: '1', exact: true }).first().click()
    // The next key can come before the worker has sent the rows, so the last row has the focus when the key was handled.
    const rowAfterEnd = await page.evaluate(() => {
      const end = new KeyboardEvent('keydown', { key: 'End', ctrlKey: true, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(end)
      return document.activeElement?.getAttribute('data-row')
    })
    expect(rowAfterEnd).toBe('999999')
    await page.keyboard.press('Control+Home')
    await eventually(() => focusedText(page), '1')
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Home')
    await eventually(() => focusedText(page), '1000000')
    await page.keyboard.press('Control+Home')
    await eventually(() => focusedText(page), '1')
    await grid(page).evaluate((element) => element.parentElement?.scrollTo({ top: 1e9 }))
    await grid(page).getByRole('rowheader', { name: '1000000' }).waitFor()
    await grid(page).getByRole('columnheader', { name: 'value' }).getByRole('button').click()
    await eventually(() => countOf(page).innerText(), '1,000,000 rows')
    await grid(page).evaluate((element) => element.parentElement?.scrollTo({ top: 0 }))
    await eventually(async () => (await column(page, 3)).slice(0, 2), ['0', '1'])
  })
})
