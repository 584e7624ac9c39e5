import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openMore, rowOf, signIn } from '../kit/browser.ts'
import { ann, bea } from '../kit/run-server.ts'
import { atRoot, eventually, selectionBar } from './journeys.ts'

const files = { Docs: {}, 'box.zip': '', 'photo.jpg': '', 'report.txt': 'quarterly' }

atRoot({ files }, ({ server, window }) => {
  const openRoot = async (person = ann) => {
    const page = await window()
    await signIn(page, server(), person)
    await rowOf(page, /report\.txt/).waitFor()
    return page
  }
  const onDisk = async (name: string): Promise<boolean> => (await readdir(server().folder)).includes(name)
  const put = (name: string, text = 'x'): Promise<void> => writeFile(path.join(server().folder, name), text)

  // Journey: verbs-1
  test('F2 renames, but not to a name that exists, Delete and Shift+Delete ask before a deletion, and a new folder and a new file open', async () => {
    for (const name of ['first.txt', 'second.txt']) await put(name, name.replace('.txt', ''))
    for (const name of ['old-name.txt', 'gone-1.txt', 'gone-2.txt']) await put(name)
    const page = await openRoot()
    // The stem of the name is selected, so that the extension stays.
    await rowOf(page, /old-name\.txt/).click()
    await page.keyboard.press('F2')
    const field = page.getByRole('textbox').last()
    await field.waitFor()
    expect(
      await field.evaluate((element: HTMLInputElement) =>
        element.value.slice(element.selectionStart ?? 0, element.selectionEnd ?? 0),
      ),
    ).toBe('old-name')
    await page.keyboard.type('new-name')
    await page.keyboard.press('Enter')
    await rowOf(page, /new-name\.txt/).waitFor()
    await eventually(async () => [await onDisk('old-name.txt'), await onDisk('new-name.txt')], [false, true])
    let sent = 0
    page.on('request', (request) => (sent += request.method() === 'PATCH' ? 1 : 0))
    await rowOf(page, /first\.txt/).click()
    await page.keyboard.press('F2')
    await page.getByRole('textbox').last().fill('second.txt')
    await page.keyboard.press('Enter')
    await page
      .getByText(/already exists/i)
      .first()
      .waitFor()
    expect(sent).toBe(0)
    expect(await readFile(path.join(server().folder, 'second.txt'), 'utf8')).toBe('second')

    await rowOf(page, /gone-1/).click()
    await rowOf(page, /gone-2/).click({ modifiers: ['Control'] })
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('Shift+Delete')
    await dialog.getByText('gone-1.txt').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Delete')
    for (const name of ['gone-1.txt', 'gone-2.txt']) await dialog.getByText(name).first().waitFor()
    await page.keyboard.press('Enter')
    await eventually(() => rowOf(page, /gone-/).count(), 0)
    await eventually(
      async () => (await readdir(server().folder)).filter((name) => name.startsWith('gone')),
      [],
    )

    // An empty name is refused, and a name is trimmed.
    await page.getByRole('button', { name: 'New folder' }).first().click()
    await dialog.getByText('Write the name of the new folder.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('  plans  ')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(`${server().url}/files/plans/`)
    expect(await onDisk('plans')).toBe(true)
    await page.getByRole('button', { name: 'New file' }).first().click()
    await dialog.getByRole('textbox').fill('notes.txt')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server().url}/files/plans/notes.txt?edit`)
    expect(await readFile(path.join(server().folder, 'plans/notes.txt'), 'utf8')).toBe('')
  })

  // Journey: verbs-2
  test('a slow copy, move and deletion say so, a refused deletion brings the row back, and the move prompt reads a folder again after a failure', async () => {
    for (const name of ['movable.txt', 'slow.txt', 'stuck.txt']) await put(name)
    await mkdir(path.join(server().folder, 'Shelf/Inner'), { recursive: true })
    const page = await openRoot()
    let isBroken = true
    await page.route('**/api/resources/Shelf/', (route) =>
      isBroken ? route.fulfill({ status: 500 }) : route.continue(),
    )
    await rowOf(page, /movable\.txt/).click()
    await page.getByRole('button', { name: 'Move to…' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Shelf', { exact: true }).dblclick()
    const failure = dialog.getByRole('treeitem', { name: 'Could not be loaded. Try again' })
    await failure.waitFor()
    isBroken = false
    await failure.click()
    await failure.waitFor({ state: 'detached' })
    await dialog.getByText('To: Shelf').waitFor()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await eventually(
      async () => (await readdir(path.join(server().folder, 'Shelf'))).includes('movable.txt'),
      true,
    )

    await page.route('**/api/resources/stuck.txt', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 403, headers: { 'X-Error': 'forbidden' }, body: '403 Forbidden\n' })
        : route.continue(),
    )
    await rowOf(page, /stuck\.txt/).click()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Close' }).first().waitFor()
    await rowOf(page, /stuck\.txt/).waitFor()
    await eventually(
      () => rowOf(page, /stuck\.txt/).evaluate((row) => row.contains(document.activeElement)),
      true,
    )
    expect(await onDisk('stuck.txt')).toBe(true)

    // A refusal selects the row again, but takes neither the path nor the focus from somebody who is typing a path meanwhile.
    const refusing = Promise.withResolvers<void>()
    await page.route('**/api/resources/stuck.txt', async (route) => {
      await refusing.promise
      await route.fallback()
    })
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await rowOf(page, /stuck\.txt/).waitFor({ state: 'detached' })
    const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
    await breadcrumb.getByRole('button', { name: 'Edit the path' }).press('Space')
    const field = breadcrumb.getByRole('combobox', { name: 'Path' })
    await field.fill('/Do')
    refusing.resolve()
    await page.locator('[role="row"][aria-selected="true"]').waitFor()
    await page.keyboard.type('cs')
    expect(await field.inputValue()).toBe('/Docs')
    expect(await selectionBar(page).count()).toBe(0)
    await page.keyboard.press('Escape')
    await selectionBar(page).waitFor()
    await eventually(() => page.evaluate(() => document.activeElement?.role), 'row')

    const releases: (() => void)[] = []
    await page.route('**/api/resources/**', async (route) => {
      if (['PATCH', 'DELETE'].includes(route.request().method()))
        await new Promise<void>((resolve) => void releases.push(resolve))
      await route.continue()
    })
    const says = async (notice: string) => {
      const text = page.locator('[data-part="notices"]').getByText(notice)
      await text.waitFor()
      releases.pop()?.()
      await text.waitFor({ state: 'detached' })
    }
    await rowOf(page, /slow\.txt/).click()
    await page.keyboard.press('Control+d')
    await says('Copying slow.txt...')
    await eventually(() => onDisk('slow(1).txt'), true)
    await rowOf(page, /slow\(1\)\.txt/).click()
    await page.keyboard.press('Control+x')
    await rowOf(page, /Docs/).dblclick()
    await page.waitForURL(`${server().url}/files/Docs/`)
    await page.keyboard.press('Control+v')
    await says('Moving slow(1).txt...')
    await rowOf(page, /slow\(1\)\.txt/).click()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await says('Deleting slow(1).txt...')
    await eventually(() => readdir(path.join(server().folder, 'Docs')), [])
  })

  // Journey: verbs-3
  test('a user without permissions is offered no actions, no downloads, no checksums, no archives and no content of files', async () => {
    const page = await openRoot(bea)
    await page.keyboard.press('Control+s')
    await rowOf(page, /report\.txt/).click()
    for (const name of ['Upload', 'New folder', 'New file', 'Delete', 'Rename', 'Download']) {
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0])
    }
    for (const key of ['Delete', 'F2', 'Control+s']) await page.keyboard.press(key)
    expect(await page.getByRole('dialog').count()).toBe(0)

    // A refused action gives a reason. These actions are not offered, so that no dialog and no notice has come before this one.
    await page.getByRole('button', { name: 'Info', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('File information').waitFor()
    expect(await dialog.count()).toBe(1)
    expect(await page.locator('[data-part="notices"]').innerText()).toBe('')
    expect(await dialog.getByRole('button', { name: /^Show/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await rowOf(page, /box\.zip/).click({ button: 'right' })
    await openMore(page)
    await page.getByRole('menuitem', { name: 'Info' }).waitFor()
    for (const name of ['Extract', 'Compress'])
      expect([name, await page.getByRole('menuitem', { name }).count()]).toEqual([name, 0])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })

    await rowOf(page, /photo\.jpg/).dblclick()
    await page
      .getByText('This file is not shown, because you do not have the permission to download files.')
      .waitFor()
    await page.keyboard.press('Delete')
    await page.keyboard.press('F2')
    for (const name of ['Rename', 'Delete', 'Download', 'Open file'])
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0])
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
