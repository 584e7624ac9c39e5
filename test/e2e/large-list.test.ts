import path from 'node:path'
import { expect, test } from 'vitest'
import { makeBigFolder } from '../../scripts/samples/bulk.ts'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, focusOf, namesShown } from './journeys.ts'

atRoot({ files: {}, people: [ann] }, ({ server, window }) => {
  /** Opens a folder of 100,000 entries, which is made for the first journey. */
  const openBig = async () => {
    await server().cli('users', 'update', ann.name, '--viewMode', 'list')
    makeBigFolder(path.join(server().folder, 'big'), 100_000)
    const page = await window()
    await signIn(page, server(), ann)
    await page.goto(`${server().url}/files/big/`)
    await page.getByText('100,000 items').first().waitFor()
    return page
  }

  test('dragging the scrollbar to the middle shows the rows of the middle, without an empty part', async () => {
    const page = await openBig()
    const list = page.locator('#listing')
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await rowOf(page, /entry-0050000\.txt/).waitFor()
    const numbers = (await namesShown(page)).map((name) => Number(/\d+/.exec(name)?.[0]))
    expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at))
    const [view, first, last] = await Promise.all([
      list.boundingBox(),
      page.locator('[role="row"][data-name]').first().boundingBox(),
      page.locator('[role="row"][data-name]').last().boundingBox(),
    ])
    const [top, bottom] = [view?.y ?? NaN, (view?.y ?? NaN) + (view?.height ?? NaN)]
    expect((first?.y ?? NaN) <= top + 60 && (last?.y ?? NaN) + (last?.height ?? NaN) >= bottom - 60).toBe(
      true,
    )
  })

  test('a file in the middle of a large folder is opened and closed: the list is at the same place', async () => {
    const page = await openBig()
    const list = page.locator('#listing')
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2 - 300))
    const row = rowOf(page, /entry-0050000\.txt/)
    await row.waitFor()
    const place = () => row.boundingBox()
    const before = await place()
    await row.dblclick()
    await page.waitForURL('**/entry-0050000.txt')
    await page.getByRole('button', { name: 'Close the file' }).click()
    await page.waitForURL(`${server().url}/files/big/`)
    await eventually(() => focusOf(page), 'MAIN entry-0050000.txt')
    await eventually(place, before)
    expect(await page.locator('[role="row"][aria-selected="true"]').count()).toBe(0)
  })

  test('a text that is typed fast in a large folder loses no letter, and filters the list to the end', async () => {
    const page = await openBig()
    await page.keyboard.press('Control+f')
    const field = page.getByRole('searchbox', { name: 'Search' })
    await eventually(() => field.evaluate((element) => element === document.activeElement), true)
    await page.keyboard.type('0999')
    expect(await field.inputValue()).toBe('0999')
    await eventually(async () => (await namesShown(page)).every((name) => name.includes('0999')), true)
    await page.keyboard.type('99')
    await eventually(() => namesShown(page), ['entry-0099999.txt'])
  })
})
