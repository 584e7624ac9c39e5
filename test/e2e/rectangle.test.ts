import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually } from './journeys.ts'

const names = Array.from({ length: 90 }, (_, n) => `${String(n + 10)}.txt`)
const files = { Docs: {}, ...Object.fromEntries(names.map((name) => [name, name])) }

const selectedNames = (page: Page): Promise<string[]> =>
  page
    .locator('[role="row"][aria-selected="true"]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name') ?? ''))

const boxOf = async (page: Page, name: string) => {
  const box = await rowOf(page, new RegExp(name.replace('.', '\\.'))).boundingBox()
  if (box === null) throw new Error(`${name} is not in the view`)
  return box
}

/** Draws a rectangle from the free space left of one card to the middle of another, and keeps the button pressed. */
const drawTo = async (page: Page, first: string, last: string): Promise<void> => {
  const [from, to] = [await boxOf(page, first), await boxOf(page, last)]
  await page.mouse.move(from.x - 3, from.y + 4)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 })
  await eventually(async () => (await selectedNames(page)).includes(last), true)
}

atRoot({ files, people: [ann] }, ({ server, window }) => {
  test('a rectangle that leads away from the lower edge does not scroll, and the arrow keys go on from its end', async () => {
    await server().cli('users', 'update', ann.name, '--viewMode', 'list')
    const page = await window({ viewport: { width: 1280, height: 800 } })
    await signIn(page, server(), ann)
    await rowOf(page, /^10\.txt/).waitFor()
    const list = (await page.locator('#listing').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const [x, bottom] = [list.x + list.width - 40, list.y + list.height - 20]
    await page.mouse.move(x, bottom)
    await page.mouse.down()
    await page.mouse.move(x - 40, bottom - 30, { steps: 3 })
    await page.mouse.move(x - 60, bottom - 140, { steps: 4 })
    await eventually(async () => (await selectedNames(page)).length > 2, true)
    await page.mouse.up()
    const selected = await selectedNames(page)
    expect(await page.locator('#listing').evaluate((element) => element.scrollTop)).toBe(0)
    await page.keyboard.press('ArrowUp')
    const before = names[names.indexOf(selected[0] ?? '') - 1] ?? ''
    await eventually(() => selectedNames(page), [before])
  })

  // Journey: rectangle-1
  test('a rectangle over cards selects exactly these, Ctrl adds, and at the lower edge the list scrolls', async () => {
    await server().cli('users', 'update', ann.name, '--viewMode', 'mosaic')
    const page = await window({ viewport: { width: 1280, height: 1100 } })
    await signIn(page, server(), ann)
    await rowOf(page, /10\.txt/).waitFor()
    const columns = await cardsInFirstLine(page)
    await drawTo(page, '10.txt', names[columns + 1] ?? '')
    await page.mouse.up()
    const expected = [...names.slice(0, 2), ...names.slice(columns, columns + 2)]
    expect(await selectedNames(page)).toEqual(expected)

    await page.keyboard.down('Control')
    const added = names[2 * columns] ?? ''
    await drawTo(page, added, added)
    await page.mouse.up()
    await page.keyboard.up('Control')
    expect(await selectedNames(page)).toEqual([...expected, added])

    await drawTo(page, '10.txt', names[columns] ?? '')
    const list = await page.locator('#listing').boundingBox()
    await page.mouse.move((list?.x ?? 0) + 40, (list?.y ?? 0) + (list?.height ?? 0) - 2)
    const firstColumn = names.filter((_, n) => n % columns === 0)
    await eventually(async () => (await selectedNames(page)).includes(firstColumn.at(-1) ?? ''), true)
    await page.mouse.up()
    await page.getByText(`${firstColumn.length} selected`).first().waitFor()
  })
})

/** Returns the number of files whose cards stand beside each other in the first line. */
async function cardsInFirstLine(page: Page): Promise<number> {
  const { y } = await boxOf(page, '10.txt')
  const tops = await page
    .locator('[role="row"][data-name$=".txt"]')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top))
  return tops.filter((top) => Math.abs(top - y) < 2).length
}
