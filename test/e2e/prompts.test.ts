import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, focusOf, namesShown } from './journeys.ts'

const files = { Docs: { Inner: {} }, Downloads: {}, Photos: {}, 'movable.txt': 'x', 'second.txt': 'x' }

const chosenFolder = (page: Page) => () =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value ?? null)

atRoot({ files, people: [ann] }, ({ server, window }) => {
  const at = (...names: string[]) => path.join(server().folder, ...names)
  const openMove = async (name: RegExp) => {
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, name).click()
    await page.getByRole('button', { name: 'Move file' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio').first().waitFor({ state: 'attached' })
    return { page, dialog }
  }

  test('the folders of the move prompt are reached by typing, the current folder is refused, and a folder is created in it', async () => {
    const { page, dialog } = await openMove(/movable\.txt/)
    const move = dialog.getByRole('button', { name: 'Move', exact: true })
    await eventually(chosenFolder(page), 'Docs')
    const ring = () =>
      dialog
        .locator('label')
        .first()
        .evaluate((label) => getComputedStyle(label).outlineStyle)
    expect([await ring(), await move.isDisabled()]).toEqual(['solid', true])
    await page.keyboard.type('dow')
    await eventually(chosenFolder(page), 'Downloads')
    await dialog.getByText('Destination: /Downloads').waitFor()
    await page.keyboard.press('End')
    await eventually(chosenFolder(page), 'Photos')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('Currently navigating on: /Docs').waitFor()

    await dialog.getByRole('button', { name: 'New folder' }).click()
    await page.keyboard.type('Inner')
    await dialog.getByText('Inner already exists here.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'New folder' }).click()
    await page.keyboard.type(' a%2F #é ')
    await page.keyboard.press('Enter')
    await eventually(chosenFolder(page), 'a%2F #é')
    expect(await readdir(at('Docs'))).toEqual(['Inner', 'a%2F #é'])
    await page.keyboard.press('Enter')
    await eventually(() => readdir(at('Docs', 'a%2F #é')), ['movable.txt'])
    await eventually(() => namesShown(page), ['Docs', 'Downloads', 'Photos', 'second.txt'])

    await rowOf(page, /second\.txt/).click()
    await page.getByRole('button', { name: 'Move file' }).first().click()
    await dialog.getByRole('list', { name: 'Pinned and recent folders' }).getByText('a%2F #é').click()
    await move.click()
    await eventually(() => readdir(at('Docs', 'a%2F #é')), ['movable.txt', 'second.txt'])
    // Without a selection the button "Move file" is disabled, so the focus goes to a row.
    await eventually(async () => (await focusOf(page)).startsWith('MAIN '), true)
  })

  test('the copy prompt copies into the chosen folder, and the list stays', async () => {
    await writeFile(at('copied.txt'), 'x')
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, /^copied\.txt/).click()
    await page.getByRole('button', { name: 'Copy file' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Copy' })
    await dialog.getByText('Choose the place to copy your files to:').waitFor()
    await dialog.getByRole('radio').first().waitFor({ state: 'attached' })
    // The first Enter chooses the folder that has the focus, and only the second one copies into it.
    const first = dialog.getByRole('radio').first()
    await eventually(() => first.evaluate((input) => input === document.activeElement), true)
    await page.keyboard.press('Enter')
    await dialog.getByText('Destination: /Docs').waitFor()
    await page.keyboard.type('dow')
    await eventually(chosenFolder(page), 'Downloads')
    await page.keyboard.press('Enter')
    await eventually(() => readdir(at('Downloads')), ['copied.txt'])
    await dialog.waitFor({ state: 'detached' })
    await rowOf(page, /^copied\.txt/).waitFor()
    expect(page.url()).toBe(`${server().url}/files/`)
    await rm(at('copied.txt'))
  })

  test('a refused part of a delete is reported with names and reasons, stays selected, and is tried again', async () => {
    await mkdir(at('Ten'))
    const names = Array.from({ length: 10 }, (_, n) => `f${n}.txt`)
    for (const name of names) await writeFile(at('Ten', name), name)
    const page = await window()
    await signIn(page, server(), ann, '/files/Ten/')
    await rowOf(page, /f0/).waitFor()
    await page.route(/\/api\/resources\/Ten\/f[789]/, (route) => route.fulfill({ status: 503 }))
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    const notice = page.locator('[data-part="notices"]')
    await notice.getByText('3 of 10 failed').waitFor()
    await notice.getByText('Details').click()
    await notice.getByText(/^f7\.txt: /).waitFor()
    expect(await namesShown(page)).toEqual(['f7.txt', 'f8.txt', 'f9.txt'])
    expect(await page.locator('[role="row"][aria-selected="true"]').count()).toBe(3)
    await page.unroute(/\/api\/resources\/Ten\/f[789]/)
    await notice.getByRole('button', { name: 'Retry failed' }).click()
    await page.getByText('It feels lonely here...').waitFor()
    await eventually(() => readdir(at('Ten')), [])
  })
})
