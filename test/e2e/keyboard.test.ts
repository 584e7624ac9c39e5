import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { makePdf } from '../kit/pdf.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, storedViews, expectFocusInside, focusOf } from './journeys.ts'

const files = {
  Docs: {
    Letters: { 'letter.txt': 'dear', 'plan.pdf': makePdf({ pages: ['The harvest'] }) },
    'inside.txt': '1',
  },
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

  // Journey: keyboard-1
  test('Ctrl+Shift with 1, 2 and 3 shows list, mosaic and gallery with the focus on its row, and in the mosaic the arrow keys go by cards, mirrored from right to left', async () => {
    const page = await openRoot()
    /** Presses the keys of a view, and waits until it is kept for the folder. */
    const show = async (digit: number, view: string) => {
      await page.keyboard.press(`Control+Shift+Digit${digit}`)
      await eventually(() => storedViews(page), [['/', view]])
    }
    await rowOf(page, /report\.txt/).click()
    for (const [digit, view] of [
      [2, 'mosaic'],
      [3, 'mosaic gallery'],
      [1, 'list'],
    ] as const) {
      await show(digit, view)
      await eventually(
        () => page.getByRole('columnheader', { name: 'Size' }).count(),
        view === 'list' ? 1 : 0,
      )
      await eventually(() => focusOf(page), 'MAIN report.txt')
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('>gallery')
    await page.getByRole('option', { name: 'Show as gallery Ctrl+Shift+3' }).waitFor()
    await page.getByRole('combobox').fill('>as list')
    // The list is on screen already, so only the search for files is left.
    const options = page.getByRole('option')
    await eventually(() => options.allInnerTexts(), ['Find “as list” in all folders'])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.setViewportSize({ width: 1000, height: 800 })
    await show(2, 'mosaic')
    await eventually(() => page.getByRole('columnheader', { name: 'Size' }).count(), 0)
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
    await show(1, 'list')
  })

  // Journey: keyboard-2
  test('F6 goes through header, sidebar, list and uploads, keys apply to the row that it reached, and single clicks open where the user prefers this', async () => {
    const page = await openRoot()
    const nextRegion = async () => {
      await page.keyboard.press('F6')
      return focusOf(page)
    }
    // The keys apply without an arrow key before.
    await eventually(nextRegion, 'MAIN Docs')
    await page.keyboard.press('Enter')
    await rowOf(page, /inside\.txt/).waitFor()
    await eventually(() => focusOf(page), 'MAIN Letters')

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
    for (const region of [...regions, ...regions]) expect(await nextRegion()).toContain(region)
    for (const region of regions.slice(0, 3).toReversed()) {
      await page.keyboard.press('Shift+F6')
      expect(await focusOf(page)).toContain(region)
    }

    // A user who prefers single clicks opens by one click, and selects by Ctrl and a click.
    await server().cli('users', 'update', ann.name, '--singleClick')
    await page.goto(`${server().url}/files/`)
    const selectedRow = (name: RegExp) => rowOf(page, name).and(page.locator('[aria-selected="true"]'))
    await rowOf(page, /report\.txt/).click({ modifiers: ['Control'] })
    await rowOf(page, /clip\.txt/).click({ modifiers: ['Control'] })
    await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').first().click()
    for (const name of [/clip\.txt/, /report\.txt/]) await selectedRow(name).waitFor()
    expect(await page.locator('[role="row"][aria-selected="true"]').count()).toBe(2)
    await rowOf(page, /Docs/).click()
    await page.waitForURL('**/files/Docs/')

    // The keys of the list work after a click on the name of a folder, on a button and after Escape out of a panel.
    await rowOf(page, /Letters/)
      .locator('[data-part="name"]')
      .click()
    await page.waitForURL('**/files/Docs/Letters/')
    await eventually(() => focusOf(page), 'MAIN letter.txt')
    await page.keyboard.press('ArrowDown')
    await eventually(() => focusOf(page), 'MAIN plan.pdf')
    await page.getByRole('button', { name: 'Info' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Toggle sidebar' }).focus()
    await page.keyboard.press('Home')
    await eventually(() => focusOf(page), 'MAIN letter.txt')
    await page.getByRole('button', { name: 'Toggle sidebar' }).focus()
    await page.keyboard.type('let')
    await eventually(() => focusOf(page), 'MAIN letter.txt')
    await page.getByRole('button', { name: 'Toggle sidebar' }).focus()
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    const before = await sidebar.boundingBox()
    await page.keyboard.press(' ')
    await eventually(async () => (await sidebar.boundingBox())?.width === before?.width, false)
    await page.keyboard.press(' ')
  })

  // Journey: keyboard-3
  test('a key acts on the innermost thing alone: a menu and a dialog hide what is below them, a text field keeps its keys, and each Escape closes one thing', async () => {
    const page = await openRoot()
    // The box around a menu has the role of a dialog, too.
    const dialogs = page.getByRole('dialog').filter({ hasNot: page.getByRole('menu') })
    const isSelected = () => rowOf(page, /report\.txt/).getAttribute('aria-selected')
    await page.keyboard.press('End')
    await eventually(() => focusOf(page), 'MAIN report.txt')

    // An open menu hides the keys of the list and of the page.
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').waitFor()
    for (const key of ['Delete', 'F2', 'Control+k', 'F1', 'Control+a']) await page.keyboard.press(key)
    expect([await dialogs.count(), await page.locator('[role="row"][aria-selected="true"]').count()]).toEqual(
      [0, 1],
    )
    await page.keyboard.press('Escape')
    await eventually(() => page.getByRole('menu').count(), 0)
    expect(await isSelected()).toBe('true')

    // The quick look above the list, and a dialog above both.
    await page.keyboard.press(' ')
    const quickLook = page.locator('[data-part="quick-look"]')
    await quickLook.waitFor()
    await page.keyboard.press('Control+k')
    await dialogs.waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => dialogs.count(), 0)
    expect(await quickLook.count()).toBe(1)
    await page.keyboard.press('Escape')
    await eventually(() => quickLook.count(), 0)
    expect(await isSelected()).toBe('true')
    await page.keyboard.press('Escape')
    await eventually(isSelected, 'false')

    // The search field keeps what is typed. Keys that type nothing work there, too.
    const search = page.getByRole('searchbox', { name: 'Search' })
    await page.keyboard.press('Control+f')
    await page.keyboard.type('rep?i')
    expect([await search.inputValue(), await dialogs.count()]).toEqual(['rep?i', 0])
    await search.fill('rep')
    // A new address closes prompts.
    await eventually(() => new URL(page.url()).search, '?q=rep')
    await page.keyboard.press('Control+k')
    await dialogs.waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => dialogs.count(), 0)
    // The field of the path closes alone, and the search stays.
    await page.getByRole('button', { name: 'Edit the path' }).click()
    await page.getByRole('combobox', { name: 'Path' }).press('Escape')
    await eventually(() => page.getByRole('combobox', { name: 'Path' }).count(), 0)
    expect(await search.inputValue()).toBe('rep')
    await page.keyboard.press('Escape')
    await eventually(() => search.inputValue(), '')

    // A dialog above a document above the list.
    await page.goto(`${server().url}/files/Docs/Letters/plan.pdf`)
    const find = page.getByRole('searchbox', { name: 'Search in the document' })
    await find.waitFor()
    await page.locator('[data-part="pdf"] [data-page="1"]').waitFor()
    await page.keyboard.press('F2')
    const name = dialogs.getByRole('textbox')
    await name.waitFor()
    await page.keyboard.press('Control+f')
    await expectFocusInside(page)
    expect(await name.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await eventually(() => dialogs.count(), 0)
    expect(page.url()).toContain('plan.pdf')
    await page.keyboard.press('Control+f')
    await eventually(() => find.evaluate((field) => field === document.activeElement), true)
    await page.keyboard.type('harvest')
    await page.keyboard.press('Escape')
    expect([await find.inputValue(), page.url().includes('plan.pdf')]).toEqual(['', true])
    await page.locator('[data-part="pdf"] section[tabindex="0"]').last().focus()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/files/Docs/Letters/')
    await eventually(() => focusOf(page), 'MAIN plan.pdf')
  })
})
