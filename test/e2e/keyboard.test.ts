import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, focusOf } from './journeys.ts'

const files = {
  Docs: { Letters: { 'letter.txt': 'dear' }, 'inside.txt': '1' },
  'clip.txt': 'clip',
  'info.txt': 'i',
  'report.txt': 'quarterly',
}

atRoot({ files }, ({ server, window }) => {
  const openRoot = async () => {
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, /report\.txt/).waitFor()
    return page
  }

  test('Ctrl+Shift with 1, 2 and 3 shows list, mosaic and gallery, and the focus stays on its row', async () => {
    await server().cli('users', 'update', ann.name, '--viewMode', 'list')
    const page = await openRoot()
    await rowOf(page, /report\.txt/).click()
    for (const [digit, view] of [
      [2, 'mosaic'],
      [3, 'mosaic gallery'],
      [1, 'list'],
    ] as const) {
      const saving = page.waitForResponse((response) => response.request().method() === 'PUT')
      await page.keyboard.press(`Control+Shift+Digit${digit}`)
      const saved = await saving
      expect([saved.status(), saved.request().postDataJSON()]).toMatchObject([
        200,
        { data: { viewMode: view } },
      ])
      await eventually(
        () => page.getByRole('columnheader', { name: 'Size' }).count(),
        view === 'list' ? 1 : 0,
      )
      await eventually(() => focusOf(page), 'MAIN report.txt')
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('gallery')
    await page.getByRole('option', { name: 'Show as gallery Ctrl+Shift+3' }).waitFor()
    await page.getByRole('combobox').fill('as list')
    // The list is on screen already, so only the search for files is left.
    const options = page.getByRole('option')
    await eventually(() => options.allInnerTexts(), ['Find “as list” in all folders'])
  })

  test('F6 goes through header, sidebar, list and uploads, and Shift+F6 goes back', async () => {
    const page = await openRoot()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page
        .getByRole('button', { name: 'New', exact: true })
        .click()
        .then(() => page.getByRole('menuitem', { name: 'Upload files' }).click()),
    ])
    await chooser.setFiles({ name: 'sent.txt', mimeType: 'text/plain', buffer: Buffer.from('sent') })
    await rowOf(page, /sent\.txt/).click()
    await page.getByRole('region', { name: 'Uploads' }).waitFor()
    const regions = [
      'SECTION Uploads Show uploads',
      'HEADER Toggle sidebar',
      'NAV Main My files',
      'MAIN sent.txt',
    ]
    for (const region of [...regions, ...regions]) {
      await page.keyboard.press('F6')
      expect(await focusOf(page)).toContain(region)
    }
    for (const region of regions.slice(0, 3).toReversed()) {
      await page.keyboard.press('Shift+F6')
      expect(await focusOf(page)).toContain(region)
    }
  })

  test('keys apply to the row that F6 has reached, without an arrow key before', async () => {
    const page = await openRoot()
    const nextRegion = async () => {
      await page.keyboard.press('F6')
      return focusOf(page)
    }
    await eventually(nextRegion, 'MAIN Docs')
    await page.keyboard.press('Enter')
    await rowOf(page, /inside\.txt/).waitFor()
    await eventually(() => focusOf(page), 'MAIN Letters')
  })

  test('in the mosaic the arrow keys go by cards and rows of cards, mirrored from right to left', async () => {
    await server().cli('users', 'update', ann.name, '--viewMode', 'mosaic')
    const page = await openRoot()
    await page.setViewportSize({ width: 1000, height: 800 })
    await rowOf(page, /clip\.txt/).click()
    const left = async (name: RegExp) => (await rowOf(page, name).boundingBox())?.x
    expect(await left(/clip\.txt/)).not.toBe(await left(/info\.txt/))
    for (const [key, name] of [
      ['ArrowRight', 'info.txt'],
      ['ArrowLeft', 'clip.txt'],
      ['ArrowUp', 'Docs'],
      ['ArrowDown', 'clip.txt'],
    ]) {
      await page.keyboard.press(key!)
      await eventually(() => focusOf(page), `MAIN ${name}`)
    }
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await page.keyboard.press('ArrowLeft')
    await eventually(() => focusOf(page), 'MAIN info.txt')
    await server().cli('users', 'update', ann.name, '--viewMode', 'list')
  })

  test('a user who prefers single clicks opens by one click, and selects by Ctrl and a click', async () => {
    await server().cli('users', 'update', ann.name, '--singleClick')
    const page = await openRoot()
    const selected = () => page.locator('[role="row"][aria-selected="true"]').count()
    await rowOf(page, /report\.txt/).click({ modifiers: ['Control'] })
    await rowOf(page, /clip\.txt/).click({ modifiers: ['Control'] })
    await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').first().click()
    await rowOf(page, /clip\.txt/)
      .and(page.locator('[aria-selected="true"]'))
      .waitFor()
    await rowOf(page, /report\.txt/)
      .and(page.locator('[aria-selected="true"]'))
      .waitFor()
    expect(await selected()).toBe(2)
    await rowOf(page, /Docs/).click()
    await page.waitForURL('**/files/Docs/')
    await server().cli('users', 'update', ann.name, '--singleClick=false')
  })
})
