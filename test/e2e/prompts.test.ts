import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, focusOf, isUncovered, namesShown, withMotion } from './journeys.ts'

const files = {
  Docs: { Inner: {} },
  Downloads: { Deep: {} },
  Photos: {},
  'movable.txt': 'x',
  'second.txt': 'x',
  'still.txt': 'x',
}

/** Returns the name of the row of the folder picker that has the focus. */
const chosenFolder = (page: Page) => () =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.getAttribute('role') === 'treeitem' ? activeElement.textContent : null
  })
const folderRow = (dialog: Locator, name: string) => dialog.getByRole('treeitem', { name, exact: true })
const namesInTree = (dialog: Locator) => dialog.getByRole('treeitem').allTextContents()

atRoot({ files, people: [ann] }, ({ server, window, freshWindow }) => {
  const at = (...names: string[]) => path.join(server().folder, ...names)
  const openMove = async (name: RegExp) => {
    const page = await window(withMotion)
    await signIn(page, server(), ann)
    await rowOf(page, name).click()
    await page.getByRole('button', { name: 'Move to…' }).first().click()
    const dialog = page.getByRole('dialog')
    await folderRow(dialog, 'Docs').waitFor()
    return { page, dialog }
  }

  // Journey: prompts-1
  test('the folders of the move prompt are reached by typing, the current folder is refused, a folder is created in it, and a copy leaves the list open', async () => {
    await writeFile(at('copied.txt'), 'x')
    const { page, dialog } = await openMove(/movable\.txt/)
    const move = dialog.getByRole('button', { name: 'Move', exact: true })
    await eventually(chosenFolder(page), 'My files')
    await dialog.getByText('To: My files').waitFor()
    const ring = () => folderRow(dialog, 'My files').evaluate((row) => getComputedStyle(row).outlineStyle)
    expect([await ring(), await move.isDisabled()]).toEqual(['solid', true])
    await Promise.all(Array.from('dow', (letter) => page.keyboard.press(letter)))
    await eventually(chosenFolder(page), 'Downloads')
    await dialog.getByText('To: Downloads').waitFor()
    await page.keyboard.press('End')
    await eventually(chosenFolder(page), 'Photos')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await dialog.getByText('To: Docs').waitFor()
    await page.keyboard.press('ArrowRight')
    await folderRow(dialog, 'Inner').waitFor()
    expect(await namesInTree(dialog)).toEqual(['My files', 'Docs', 'Inner', 'Downloads', 'Photos'])

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
    await eventually(
      () => namesShown(page),
      ['Docs', 'Downloads', 'Photos', 'copied.txt', 'second.txt', 'still.txt'],
    )

    await rowOf(page, /second\.txt/).click()
    await page.getByRole('button', { name: 'Move to…' }).first().click()
    await dialog.getByRole('list', { name: 'Pinned and recent folders' }).getByText('a%2F #é').click()
    await move.click()
    await eventually(() => readdir(at('Docs', 'a%2F #é')), ['movable.txt', 'second.txt'])
    // Without a selection the button "Move to…" is disabled, so the focus goes to a row.
    await eventually(async () => (await focusOf(page)).startsWith('MAIN '), true)

    // The copy prompt copies into the chosen folder, and the list stays.
    await rowOf(page, /^copied\.txt/).click()
    await page.getByRole('button', { name: 'Copy to…' }).first().click()
    const copy = page.getByRole('dialog', { name: 'Copy' })
    await copy.getByText('Choose the place to copy your files to:').waitFor()
    await folderRow(copy, 'Docs').waitFor()
    await eventually(chosenFolder(page), 'My files')
    await Promise.all(Array.from('dow', (letter) => page.keyboard.press(letter)))
    await eventually(chosenFolder(page), 'Downloads')
    await page.keyboard.press('Enter')
    await eventually(async () => (await readdir(at('Downloads'))).sort(), ['Deep', 'copied.txt'])
    await copy.waitFor({ state: 'detached' })
    await rowOf(page, /^copied\.txt/).waitFor()
    expect(page.url()).toBe(`${server().url}/files/`)
    await rm(at('copied.txt'))
  })

  test('the keys of a tree choose a folder, the dialog keeps its height, and long names of folders end inside of the list', async () => {
    const { page, dialog } = await openMove(/still\.txt/)
    await dialog.getByText('It is already here. Choose another folder.').waitFor()
    // The height of the layout, which the movement of the opening dialog does not change.
    const heightOfDialog = () => dialog.evaluate((element: HTMLElement) => element.offsetHeight)
    const height = await heightOfDialog()
    await eventually(chosenFolder(page), 'My files')
    await page.keyboard.press('End')
    await dialog.getByText('To: Photos').waitFor()
    expect(await dialog.getByText('It is already here.').count()).toBe(0)
    // What counts is when a letter was pressed, and not when a busy page handles it: the second begins another name.
    await page.evaluate(() => {
      for (const [key, agoMs] of [
        ['p', 5000],
        ['d', 4000],
      ] as const) {
        const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
        Object.defineProperty(event, 'timeStamp', { value: performance.now() - agoMs })
        document.activeElement?.dispatchEvent(event)
      }
    })
    await dialog.getByText('To: Docs').waitFor()
    // The letters are sent at once: a letter 800 ms after the one before begins another name.
    await Promise.all(Array.from('down', (letter) => page.keyboard.press(letter)))
    await dialog.getByText('To: Downloads').waitFor()
    await page.keyboard.press('ArrowRight')
    await folderRow(dialog, 'Deep').waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('To: Downloads / Deep').waitFor()
    await eventually(chosenFolder(page), 'Deep')
    // A folder without subfolders has no arrow, also before somebody tries to expand it.
    await eventually(() => folderRow(dialog, 'Deep').getAttribute('aria-expanded'), null)
    await page.keyboard.press('ArrowLeft')
    await eventually(chosenFolder(page), 'Downloads')
    await page.keyboard.press('ArrowLeft')
    await folderRow(dialog, 'Deep').waitFor({ state: 'detached' })
    await page.keyboard.press('Backspace')
    await eventually(chosenFolder(page), 'My files')
    expect(await heightOfDialog()).toBe(height)
    // The arrow opens a folder without choosing it, and a chosen folder stays on screen when a folder above it is closed.
    await folderRow(dialog, 'Downloads').locator('[data-chevron]').click()
    await folderRow(dialog, 'Deep').click()
    await dialog.getByText('To: Downloads / Deep').waitFor()
    await folderRow(dialog, 'Downloads').locator('[data-chevron]').click()
    await dialog.getByText('To: Downloads').waitFor()
    await eventually(chosenFolder(page), 'Downloads')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // Long names end inside of the list, and a double click opens a folder.
    const long = `Deeds ${'and annexes '.repeat(12)}end`
    // A folder is listed that was created since the dialog was closed, also while the response to its request is on its way.
    const isListed = Promise.withResolvers<void>()
    await page.route(
      ({ pathname }) => pathname.endsWith('/api/resources/'),
      async (route) => {
        const response = await route.fetch()
        await isListed.promise
        await route.fulfill({ response }).catch(() => {})
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Move to…' }).first().click()
    await folderRow(dialog, 'My files').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await mkdir(at(long))
    await page.getByRole('button', { name: 'Move to…' }).first().click()
    isListed.resolve()
    const edges = await folderRow(dialog, long).evaluate((row) => ({
      list: row.closest('[role="tree"]')?.getBoundingClientRect().right ?? 0,
      text: row.lastElementChild?.getBoundingClientRect().right ?? 0,
    }))
    expect(edges.text).toBeLessThanOrEqual(edges.list)
    await folderRow(dialog, 'Downloads').dblclick()
    await dialog.getByText('To: Downloads').waitFor()
    await folderRow(dialog, 'Deep').waitFor()
    await page.keyboard.press('Escape')
    await rm(at(long), { recursive: true })
  })

  // Journey: prompts-2
  test('a refused part of a delete is reported with names and reasons and is tried again, and a new folder beside a file needs a free name', async () => {
    await mkdir(at('Ten'))
    const names = Array.from({ length: 10 }, (_, n) => `f${n}.txt`)
    for (const name of names) await writeFile(at('Ten', name), name)
    const page = await window(withMotion)
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

    // A new folder beside an open file is refused when its name exists.
    await page.goto(`${server().url}/files/still.txt`)
    await page.getByText('Line 1').waitFor()
    await page.getByRole('button', { name: 'New folder' }).click()
    const dialog = page.getByRole('dialog', { name: 'New folder' })
    await dialog.getByRole('textbox').fill('Photos')
    await page.keyboard.press('Enter')
    await dialog.getByText('This name already exists here.').waitFor()
    expect(page.url()).toBe(`${server().url}/files/still.txt`)
    await dialog.getByRole('textbox').fill('Beside')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/files\/Beside\/$/)
    await rm(at('Beside'), { recursive: true })
  })

  test('a notice stays where it is while dialogs and menus open and close, and covers none of their buttons', async () => {
    await mkdir(at('Kept'))
    for (const name of ['kept.txt', 'other.txt']) await writeFile(at('Kept', name), name)
    for (const [viewport, isPhone] of [
      [{ width: 1280, height: 800 }, false],
      [{ width: 390, height: 844 }, true],
    ] as const) {
      const page = isPhone
        ? await freshWindow({ viewport, hasTouch: true, isMobile: true })
        : await window(withMotion)
      await signIn(page, server(), ann, '/files/Kept/')
      await page.route('**/api/resources/Kept/kept.txt', (route) => route.fulfill({ status: 500 }))
      await rowOf(page, /kept/).focus()
      await page.keyboard.press('Control+Space')
      await page.keyboard.press('Delete')
      const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
      await dialog.getByRole('button', { name: 'Delete' }).click()
      const notice = page.locator('[data-part="notices"] > div')
      await notice.getByRole('button', { name: 'Close' }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('[role="row"][aria-selected="true"]').waitFor({ state: 'detached' })
      await notice.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
      const before = await notice.boundingBox()
      const open = { F1: dialog, 'Control+p': dialog, Delete: dialog, 'Shift+F10': page.getByRole('menu') }
      for (const [key, layer] of Object.entries(open)) {
        await rowOf(page, /other/).focus()
        if (key === 'Delete') await page.keyboard.press('Control+Space')
        await page.keyboard.press(key)
        await layer.last().waitFor()
        const controls = layer.last().locator('button:not(:disabled), [role="menuitem"], input')
        const buttons = controls.filter({ visible: true })
        await buttons.last().scrollIntoViewIfNeeded()
        await eventually(() => isUncovered(buttons.last()), true)
        expect([key, await notice.boundingBox()]).toEqual([key, before])
        await page.keyboard.press('Escape')
        await layer.first().waitFor({ state: 'detached' })
        await eventually(() => isUncovered(notice), true)
        expect([key, await notice.boundingBox()]).toEqual([key, before])
      }
    }
  })
})
