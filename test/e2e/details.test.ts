import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rotatedJpeg } from '../kit/images.ts'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, violationsInBothThemes } from './journeys.ts'

const many = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`${String(index).padStart(2, '0')} row`, { 'a.txt': 'x' }]),
)
const files = {
  Docs: { 'a.txt': 'first', 'b.txt': 'second', sub: {} },
  Many: many,
  'notes #?.txt': 'notes',
  'photo.jpg': await rotatedJpeg(400, 300),
  'report.txt': 'quarterly '.repeat(200),
}

const pane = (page: Page) => page.getByRole('region', { name: 'Details' })
const heading = (page: Page) => pane(page).getByRole('heading', { level: 2 })
/** Returns the value beside a label of the pane. */
const factOf = async (page: Page, label: string): Promise<string> => {
  const fact = pane(page)
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
  return (await fact.locator('dd').innerText()).replaceAll(/\s+/g, ' ').trim()
}
const focusedRow = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[role="row"]')?.getAttribute('aria-rowindex') ?? null)

atRoot({ files, people: [ann] }, ({ server, window }) => {
  const openWide = async (address = '/files/') => {
    const page = await window({ viewport: { width: 1440, height: 900 } })
    await signIn(page, server(), ann, address)
    await page.getByRole('grid').waitFor()
    return page
  }

  // Journey: details-1
  test('the details beside the list follow the selection, are remembered after a reload, and describe the folder when nothing is selected', async () => {
    const page = await openWide()
    await rowOf(page, 'report.txt').click()
    await page.keyboard.press('Alt+Enter')
    await eventually(() => heading(page).innerText(), 'report.txt')
    expect([await factOf(page, 'Type'), await factOf(page, 'Size'), await factOf(page, 'Path')]).toEqual([
      'Text',
      '1.95 KB 2,000 bytes',
      'report.txt',
    ])
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await violationsInBothThemes(page)).toEqual([])

    // The list keeps the focus and its keys.
    await page.keyboard.press('ArrowUp')
    await eventually(() => heading(page).innerText(), 'photo.jpg')
    await pane(page).locator('img[data-state="there"]').waitFor()
    await eventually(() => factOf(page, 'Type'), 'JPEG picture')
    await page.keyboard.press('Shift+ArrowUp')
    await eventually(() => heading(page).innerText(), '2 selected')
    expect([await factOf(page, 'Type'), await factOf(page, 'Number of files')]).toEqual([
      'Various types',
      '2',
    ])
    expect(await pane(page).getByText('Number of folders').count()).toBe(0)
    const bar = page.locator('[data-part="selection-bar"]')
    for (const name of ['Download', 'Info']) expect(await bar.getByRole('button', { name }).count()).toBe(1)
    await page.reload()
    await eventually(() => heading(page).innerText(), 'My files')
    await rowOf(page, /^Docs/).dblclick()
    await eventually(() => heading(page).innerText(), 'Docs')
    await eventually(() => factOf(page, 'Number of files'), '2 directly in this folder')
    expect([await factOf(page, 'Path'), await pane(page).getByRole('link').count()]).toEqual(['Docs', 0])
    await rowOf(page, 'a.txt').click()
    await page.keyboard.press('Control+a')
    await eventually(() => heading(page).innerText(), '3 selected')

    // The path of an entry leads to it. Another press on the same row would open it, if it came within 300 ms of the first.
    await rowOf(page, 'b.txt').click()
    await pane(page).getByRole('link', { name: 'Docs / b.txt', exact: true }).click()
    await page.waitForURL('**/files/Docs/b.txt')
  })

  // Journey: details-2
  test('the button, the key, Escape and Info close the details, and the list has the focus afterwards; a narrow window has the dialog', async () => {
    const page = await openWide()
    const row = rowOf(page, 'report.txt')
    await row.click()
    const rowIndex = await row.getAttribute('aria-rowindex')
    for (const close of [
      () => pane(page).getByRole('button', { name: 'Close the details' }).press('Enter'),
      () => pane(page).getByText('Checksums').press('Escape'),
      () => page.keyboard.press('Alt+Enter'),
    ]) {
      await row.focus()
      await page.keyboard.press('Alt+Enter')
      await pane(page).waitFor()
      await close()
      await pane(page).waitFor({ state: 'detached' })
      await eventually(() => focusedRow(page), rowIndex)
    }
    // F6 leads from the list to the details and further.
    await page.keyboard.press('Alt+Enter')
    await pane(page).waitFor()
    await page.keyboard.press('F6')
    await eventually(
      () => page.evaluate(() => document.activeElement?.closest('[data-part="details"]') !== null),
      true,
    )
    await page.keyboard.press('F6')
    await eventually(
      () => page.evaluate(() => document.activeElement?.closest('[data-part="details"]') === null),
      true,
    )
    // Single letters run actions only when they are switched on in the help.
    await page.evaluate(() => localStorage.setItem('letter-keys', 'on'))
    await page.reload()
    await pane(page).waitFor()
    await row.click()
    await page.keyboard.press('i')
    await pane(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    const info = page.getByRole('button', { name: 'Info', exact: true })
    await info.click()
    await pane(page).waitFor()
    expect(await info.getAttribute('aria-pressed')).toBe('true')

    await page.setViewportSize({ width: 1280, height: 800 })
    await pane(page).waitFor({ state: 'detached' })
    await row.click()
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('dialog', { name: 'File information' }).waitFor()
  })

  // Journey: details-3
  test('links to the selected entry and its checksums are in the details', async () => {
    const page = await openWide()
    const row = rowOf(page, 'notes #?.txt')
    await row.click()
    await page.keyboard.press('Alt+Enter')
    await eventually(() => heading(page).innerText(), 'notes #?.txt')
    expect(await pane(page).getByRole('heading', { name: 'Links' }).count()).toBe(0)
    const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
    const answer = await page.request.post(`${server().url}/api/share/notes%20%23%3F.txt`, {
      headers: { 'X-Auth': token },
      data: {},
    })
    const { hash } = await answer.json()
    await page.reload()
    await row.click()
    await pane(page).getByText(`/share/${hash}`).waitFor()
    await pane(page).getByText('Permanent').waitFor()
    expect(await pane(page).getByRole('button', { name: 'Show MD5' }).isVisible()).toBe(false)
    await pane(page).getByText('Checksums').click()
    await pane(page).getByRole('button', { name: 'Show MD5' }).click()
    await pane(page).getByText('4358b5009c67d0e31d7fbf1663fcd3bf').waitFor()
  })

  test('a held arrow key requests nothing for the rows that it passes', async () => {
    const page = await openWide('/files/Many/')
    await rowOf(page, '00 row').click()
    await page.keyboard.press('Alt+Enter')
    await eventually(() => heading(page).innerText(), '00 row')
    await eventually(() => factOf(page, 'Number of files'), '1 directly in this folder')
    const asked: string[] = []
    page.on('request', (request) => {
      if (/row/.test(request.url())) asked.push(decodeURIComponent(request.url().split('/').at(-2) ?? ''))
    })
    await page.evaluate(() => {
      for (let press = 0; press < 39; press += 1)
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: 'ArrowDown',
            bubbles: true,
            cancelable: true,
            repeat: press > 0,
          }),
        )
    })
    await eventually(() => heading(page).innerText(), '39 row')
    await eventually(() => factOf(page, 'Number of files'), '1 directly in this folder')
    expect(new Set(asked)).toEqual(new Set(['39 row']))
  })
})
