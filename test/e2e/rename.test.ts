import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, namesShown } from './journeys.ts'

const files = { Docs: {}, 'a.txt': 'a', 'b.txt': 'b', 'c%2Fd #1.txt': 'c' }

/** The field that stands in a row in the place of the name. */
const field = (page: Page) => page.getByRole('grid').getByRole('textbox')

const focusedRow = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('data-name') ?? document.activeElement?.tagName)

atRoot({ files, people: [ann] }, ({ server, window }) => {
  const at = (...names: string[]) => path.join(server().folder, ...names)
  const open = async (folder = '', options?: Parameters<typeof window>[0]) => {
    const page = await window(options)
    await signIn(page, server(), ann)
    if (folder !== '') await page.goto(`${server().url}/files/${folder}/`)
    await page.getByRole('grid').or(page.getByText('It feels lonely here...')).first().waitFor()
    return page
  }

  test('F2 renames in the row: Tab goes on to the next row, Escape cancels, and a used name is refused in place', async () => {
    const page = await open()
    await rowOf(page, /a\.txt/).click()
    await page.keyboard.press('F2')
    await field(page).fill('b.txt')
    await page
      .getByRole('alert')
      .getByText(/already exists/)
      .waitFor()
    await page.keyboard.press('Enter')
    expect(await field(page).inputValue()).toBe('b.txt')
    await field(page).fill('a2.txt')
    await page.keyboard.press('Tab')
    await eventually(() => field(page).inputValue(), 'b.txt')
    await page.keyboard.type('b2')
    await page.keyboard.press('Tab')
    await eventually(() => field(page).inputValue(), 'c%2Fd #1.txt')
    await page.keyboard.type('never')
    await page.keyboard.press('Escape')
    await eventually(() => focusedRow(page), 'c%2Fd #1.txt')
    await eventually(() => readdir(at()), ['Docs', 'a2.txt', 'b2.txt', 'c%2Fd #1.txt'])
    expect(await namesShown(page)).toEqual(['Docs', 'a2.txt', 'b2.txt', 'c%2Fd #1.txt'])

    await page.keyboard.press('F2')
    await eventually(() => field(page).evaluate((input) => input === document.activeElement), true)
    await page.keyboard.type('odd & %2F')
    await rowOf(page, /Docs/).click()
    await eventually(() => readFile(at('odd & %2F.txt'), 'utf8').catch(() => ''), 'c')
  })

  test('a rename shows at once on a slow server, and the old name returns with the reason when it is refused', async () => {
    await writeFile(at('Docs', 'slow.txt'), 'slow')
    const page = await open('Docs')
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api/resources/Docs/slow.txt?*', async (route) => {
      await answered
      await route.fulfill({ status: 403, headers: { 'X-Error': 'forbidden' }, body: '403 Forbidden\n' })
    })
    await rowOf(page, /slow\.txt/).click()
    await page.keyboard.press('F2')
    await eventually(() => field(page).evaluate((input) => input === document.activeElement), true)
    await page.keyboard.type('fast')
    await page.keyboard.press('Enter')
    await eventually(() => namesShown(page), ['fast.txt'])
    await eventually(() => focusedRow(page), 'fast.txt')
    answer()
    await eventually(() => namesShown(page), ['slow.txt'])
    await page
      .getByText(/permission/)
      .first()
      .waitFor()
    await access(at('Docs', 'slow.txt'))
  })

  test('on a phone a dialog asks for the new name', async () => {
    await writeFile(at('Docs', 'phone.txt'), 'phone')
    const page = await open('Docs', { viewport: { width: 390, height: 800 } })
    await rowOf(page, /phone\.txt/).click()
    await page.keyboard.press('F2')
    await page.getByRole('dialog', { name: 'Rename' }).getByRole('textbox').fill('call.txt')
    await page.keyboard.press('Enter')
    await rowOf(page, /call\.txt/).waitFor()
    await eventually(async () => (await readdir(at('Docs'))).includes('call.txt'), true)
  })
})
