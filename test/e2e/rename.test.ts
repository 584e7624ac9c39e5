import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, namesShown } from './journeys.ts'

const files = { Docs: {}, 'a.txt': 'a', 'b.txt': 'b', 'c%2Fd #1.txt': 'c' }

/** The field that stands in a row in the place of the name. */
const field = (page: Page) => page.getByRole('grid').getByRole('textbox')

/** Returns the selected part of the focused field, which the next letter replaces. */
const selectedText = (page: Page) =>
  page.evaluate(() => {
    const input = document.activeElement
    if (!(input instanceof HTMLInputElement)) return null
    return input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0)
  })

const focusedRow = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('data-name') ?? document.activeElement?.tagName)

atRoot({ files, people: [ann] }, ({ server, window }) => {
  const at = (...names: string[]) => path.join(server().folder, ...names)

  test('F2 renames in the row, where Tab goes on, Escape cancels and a used name is refused, and several entries are renamed by a rule with a preview', async () => {
    const page = await window()
    await signIn(page, server(), ann)
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
    await eventually(() => selectedText(page), 'b')
    await page.keyboard.type('b2')
    await page.keyboard.press('Tab')
    await eventually(() => selectedText(page), 'c%2Fd #1')
    await page.keyboard.type('never')
    await page.keyboard.press('Escape')
    await eventually(() => focusedRow(page), 'c%2Fd #1.txt')
    await eventually(() => readdir(at()), ['Docs', 'a2.txt', 'b2.txt', 'c%2Fd #1.txt'])
    expect(await namesShown(page)).toEqual(['Docs', 'a2.txt', 'b2.txt', 'c%2Fd #1.txt'])
    expect(await page.getByText(/was not renamed|no longer there/).count()).toBe(0)

    await page.keyboard.press('F2')
    await eventually(() => field(page).evaluate((input) => input === document.activeElement), true)
    await page.keyboard.type('odd & %2F')
    await rowOf(page, /Docs/).click()
    await eventually(() => readFile(at('odd & %2F.txt'), 'utf8').catch(() => ''), 'c')

    const names = ['IMG 1.jpg', 'IMG 2.jpg', 'IMG 3.jpg']
    await mkdir(at('Batch'))
    for (const name of [...names, 'Photo 9.jpg']) await writeFile(at('Batch', name), name)
    await rowOf(page, /Batch/).dblclick()
    const rename = async () => {
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menuitem', { name: 'Rename several' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Rename', exact: true }).count()).toBe(0)
      await page.getByRole('menuitem', { name: 'Rename several' }).click()
    }
    const dialog = page.getByRole('dialog', { name: 'Rename 3 items' })
    const submit = dialog.getByRole('button', { name: 'Rename' })
    await rowOf(page, /IMG 1/).click()
    await rowOf(page, /IMG 3/).click({ modifiers: ['Shift'] })
    await page.keyboard.press('F2')
    expect(await field(page).count()).toBe(0)
    await rename()
    await dialog.getByLabel('Find', { exact: true }).fill('IMG 1')
    await dialog.getByLabel('Replace with').fill('Photo 9')
    await dialog.getByText('1 new name is not possible.').waitFor()
    expect(await submit.isDisabled()).toBe(true)

    // The files exchange their names: each gets the next one, and the last gets the first.
    await dialog.getByLabel('Pattern', { exact: true }).check()
    await dialog.getByLabel('Name pattern').fill('IMG {n}')
    await dialog.getByLabel('Digits').fill('1')
    await dialog.getByLabel('First number').fill('2')
    await dialog.getByRole('cell', { name: 'IMG 4.jpg' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('3 items renamed').first().waitFor()
    expect(await readdir(at('Batch'))).toEqual(['IMG 2.jpg', 'IMG 3.jpg', 'IMG 4.jpg', 'Photo 9.jpg'])
    expect(await readFile(at('Batch', 'IMG 4.jpg'), 'utf8')).toBe('IMG 3.jpg')
    expect(await namesShown(page)).toEqual(['IMG 2.jpg', 'IMG 3.jpg', 'IMG 4.jpg', 'Photo 9.jpg'])

    await page.route('**/api/resources/Batch/IMG%203.jpg?*', (route) => route.abort())
    await rename()
    await dialog.getByLabel('Find', { exact: true }).fill('IMG')
    await dialog.getByLabel('Replace with').fill('a%2F #')
    await page.keyboard.press('Enter')
    await page.getByText('1 of 3 failed').first().waitFor()
    expect(await readdir(at('Batch'))).toEqual(['IMG 3.jpg', 'Photo 9.jpg', 'a%2F # 2.jpg', 'a%2F # 4.jpg'])
    expect(await rowOf(page, /IMG 3/).getAttribute('aria-selected')).toBe('true')
  })

  // Journey: rename-1
  test('a rename shows at once on a slow server, the field returns with the typed name and the reason when it is refused, and on a phone a dialog asks for the name', async () => {
    await writeFile(at('Docs', 'slow.txt'), 'slow')
    const page = await window()
    await signIn(page, server(), ann, '/files/Docs/')
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
    await eventually(() => field(page).inputValue(), 'fast.txt')
    await eventually(() => page.evaluate(() => getSelection()?.toString()), 'fast')
    await page
      .getByRole('alert')
      .getByText(/permission/)
      .waitFor()
    await access(at('Docs', 'slow.txt'))

    await page.unroute('**/api/resources/Docs/slow.txt?*')
    await page.keyboard.press('Enter')
    await eventually(() => readdir(at('Docs')), ['fast.txt'])
    await eventually(() => focusedRow(page), 'fast.txt')

    await page.setViewportSize({ width: 390, height: 800 })
    await rowOf(page, /fast\.txt/).click()
    await page.keyboard.press('F2')
    await page.getByRole('dialog', { name: 'Rename' }).getByRole('textbox').fill('call.txt')
    await page.keyboard.press('Enter')
    await rowOf(page, /call\.txt/).waitFor()
    await eventually(() => readdir(at('Docs')), ['call.txt'])
  })
})
