import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openMore, rowOf, signIn } from '../kit/browser.ts'
import { ada, bea, type TestUser } from '../kit/run-server.ts'
import { atRoot, eventually, namesShown, selectionBar, withMotion } from './journeys.ts'

const files = { Docs: { 'letter.txt': 'dear' }, 'report.txt': 'figures', 'scan.pdf': 'pdf' }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const headerButtons = (page: Page) => page.locator('[data-slot="folder-actions"]').getByRole('button')
const placesOf = async (page: Page) =>
  page
    .locator('[data-slot="folder-actions"] button')
    .evaluateAll((buttons) =>
      buttons.map((button) => [button.getAttribute('aria-label'), button.getBoundingClientRect().left]),
    )
/** Returns the names of the buttons that are on screen. */
const namesOfVisible = (buttons: readonly Element[]): readonly (string | null)[] =>
  buttons
    .filter((button) => button.checkVisibility({ visibilityProperty: true }))
    .map((button) => button.ariaLabel ?? button.textContent)
const menuItems = (page: Page) => page.getByRole('menuitem').allInnerTexts()

atRoot({ files, people: [ada, bea] }, ({ server, window }) => {
  const openRoot = async (person: TestUser = ada, options?: Parameters<typeof window>[0]) => {
    const page = await window({ ...withMotion, ...options })
    await signIn(page, server(), person)
    await rowOf(page, /report\.txt/).waitFor()
    return page
  }

  // Journey: actions-1
  test('with nothing selected no action is disabled, a selection takes the place of the header and moves nothing else, and a right click selects a row and opens its menu', async () => {
    const page = await openRoot()
    const labels = () => headerButtons(page).evaluateAll((all) => all.map((one) => one.ariaLabel))
    expect(await labels()).toEqual(['View', 'Download', 'Upload', 'Info', 'Select multiple'])
    expect(await page.locator('[aria-disabled="true"], button:disabled').count()).toBe(0)
    const header = page.locator('[data-slot="folder-actions"]').locator('..')
    const placesBefore = await placesOf(page)
    const box = await header.boundingBox()
    await rowOf(page, /report\.txt/).click()
    const bar = selectionBar(page)
    await bar.getByText('1 selected').waitFor()
    const inside = await bar.boundingBox()
    expect(inside).toEqual({ ...box, height: box!.height - 1 })
    expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).isVisible()).toBe(false)
    expect(await placesOf(page)).toEqual(placesBefore)
    const verbs = () => bar.getByRole('button').evaluateAll(namesOfVisible)
    expect(await verbs()).toEqual([
      'Share',
      'Rename',
      'Copy to…',
      'Move to…',
      'Delete',
      'Download',
      'Info',
      'More',
      'Clear',
    ])
    await rowOf(page, /scan\.pdf/).click({ modifiers: ['Control'] })
    await bar.getByText('2 selected').waitFor()
    expect(await bar.innerText()).toMatch(/10.B/)
    expect(await verbs()).toEqual(['Copy to…', 'Move to…', 'Delete', 'Download', 'Info', 'More', 'Clear'])
    await eventually(() => page.locator('[aria-live="polite"]').innerText(), '2 selected')

    // The arrow keys move between the actions, and Escape gives the focus back to the list.
    await bar.getByRole('button', { name: 'Copy to…' }).focus()
    await page.keyboard.press('ArrowRight')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await eventually(focused, 'Move to…')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Clear')
    await page.keyboard.press('Escape')
    await page.locator('[role="row"][aria-selected="true"]').waitFor({ state: 'detached' })
    await bar.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('row')
    expect(await placesOf(page)).toEqual(placesBefore)

    // When the button with the focus goes or has no room, another button of the bar gets the focus.
    const focusedButton = () =>
      page.evaluate(() => {
        const { activeElement } = document
        return (
          activeElement?.ariaLabel ?? (activeElement === document.body ? 'body' : activeElement?.textContent)
        )
      })
    await rowOf(page, /report\.txt/).click()
    await bar.getByRole('button', { name: 'Rename' }).focus()
    await page.keyboard.press('Control+a')
    await bar.getByText('3 selected').waitFor()
    await eventually(focusedButton, 'Move to…')
    // Keys with a modifier are not those of the bar.
    const isLeftAlone = await bar.getByRole('button', { name: 'Move to…' }).evaluate((button) => {
      const init = { key: 'ArrowRight', altKey: true, bubbles: true, cancelable: true }
      return button.dispatchEvent(new KeyboardEvent('keydown', init))
    })
    expect([isLeftAlone, await focusedButton()]).toEqual([true, 'Move to…'])
    // With one entry, the bar has more actions than a narrow window has room for.
    await rowOf(page, /scan\.pdf/).click()
    await bar.getByText('1 selected').waitFor()
    await bar.getByRole('button', { name: 'Move to…' }).focus()
    await page.setViewportSize({ width: 800, height: 800 })
    await eventually(focusedButton, 'Delete')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Select multiple' }).press('Enter')
    // Two clicks on the same row would be a double click, which opens it.
    await rowOf(page, /Docs/).click()
    await bar.getByRole('button', { name: 'Copy to…' }).focus()
    await page.keyboard.press('Escape')
    await bar.getByText('Multiple selection enabled').waitFor()
    await eventually(focusedButton, 'Clear')
    await page.keyboard.press('Enter')
    await bar.waitFor({ state: 'detached' })

    // The menu "More" has the actions that the bar does not show, and opens below its button.
    await rowOf(page, /report\.txt/).click()
    await bar.getByRole('button', { name: 'More' }).click()
    const namesInMenu = async () => (await menuItems(page)).map((item) => item.split('\n')[0])
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
    expect(await namesInMenu()).toEqual([
      'Open',
      'Preview',
      'Open in new tab',
      'Copy address',
      'Compress',
      'Cut',
      'Copy',
      'Duplicate',
    ])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    // A narrow window leaves out the verbs that ask for a folder, which the menu has then.
    await page.setViewportSize({ width: 800, height: 800 })
    await eventually(verbs, ['Share', 'Rename', 'Delete', 'Download', 'Info', 'More', 'Clear'])
    await bar.getByRole('button', { name: 'More' }).click()
    for (const name of ['Copy to…', 'Move to…']) await page.getByRole('menuitem', { name }).waitFor()
    expect((await namesInMenu()).filter((name) => name === 'Share' || name === 'Rename')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1280, height: 800 })
    await bar.getByRole('button', { name: 'Clear' }).click()
    await bar.waitFor({ state: 'detached' })

    // The mode for several entries begins without one, and the focus goes to the list.
    await page.getByRole('button', { name: 'Select multiple' }).press('Enter')
    await bar.getByText('Multiple selection enabled').waitFor()
    expect(await verbs()).toEqual(['Clear'])
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })

    // A right click selects the row and opens its menu, and Escape returns to the row.
    await rowOf(page, /Docs/).click()
    const row = rowOf(page, /report\.txt/)
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    expect(await row.getAttribute('aria-selected')).toBe('true')
    expect(await rowOf(page, /Docs/).getAttribute('aria-selected')).toBe('false')
    await page.keyboard.press('Escape')
    await eventually(() => row.evaluate((element) => element === document.activeElement), true)

    // A context menu in the middle of the window shows all its items without scrolling.
    await page.mouse.click(700, 400, { button: 'right' })
    const menu = page.getByRole('menu')
    await menu.waitFor()
    const lastItemIsInside = () =>
      menu.evaluate((element) => {
        const frame = element.parentElement?.getBoundingClientRect()
        const last = element.lastElementChild?.getBoundingClientRect()
        return frame !== undefined && last !== undefined && last.bottom <= frame.bottom
      })
    await eventually(lastItemIsInside, true)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
  })

  // Journey: actions-2
  test('Shift+F10 opens the menu at the focused row, a chosen item runs, and the menu beside the rows is about the folder', async () => {
    const page = await openRoot()
    await rowOf(page, /report\.txt/).click()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu', { name: 'Actions for the selection' }).waitFor()
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    const prompt = page.getByRole('dialog', { name: 'Delete “report.txt”?' })
    await prompt.getByRole('button', { name: 'Delete' }).waitFor()
    expect((await prompt.innerText()).split('report.txt')).toHaveLength(2)
    await page.keyboard.press('Escape')
    expect(readdirSync(server().folder)).toContain('report.txt')
    await prompt.waitFor({ state: 'detached' })

    // The row is still selected. Another click so soon after the first one would open the file.
    await eventually(() => rowOf(page, /report\.txt/).getAttribute('aria-selected'), 'true')
    await page.locator('#listing').click({ button: 'right', position: { x: 300, y: 400 } })
    await page.getByRole('menu', { name: 'Actions for this folder' }).waitFor()
    expect(await rowOf(page, /report\.txt/).getAttribute('aria-selected')).toBe('false')
    await page.getByRole('menuitem', { name: 'New folder' }).click()
    await page.getByRole('dialog', { name: 'New folder' }).waitFor()
  })

  // Journey: actions-3
  test('a user without permissions sees no action that changes files, in no menu, and the menu of the folder sorts it', async () => {
    const page = await openRoot(bea)
    const forbidden = /Rename|Copy(?! address)|Move|Delete|Upload|Download|New|Cut|Paste|Duplicate/
    await rowOf(page, /report\.txt/).click({ button: 'right' })
    await openMore(page)
    await page.getByRole('menuitem', { name: 'Info' }).waitFor()
    const inMenu = await menuItems(page)
    // The first press closes *More*.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    const labels = await headerButtons(page).evaluateAll((all) => all.map((one) => one.ariaLabel))
    expect([...inMenu, ...labels].filter((label) => forbidden.test(label ?? ''))).toEqual([])
    expect(await page.getByRole('button', { name: 'New', exact: true }).count()).toBe(0)
    await page.keyboard.press('Delete')
    await page.keyboard.press('F2')
    expect(await page.getByRole('dialog').count()).toBe(0)

    // The menu of the folder sorts it and marks the order.
    const openMenu = async () => {
      await page.locator('#listing').click({ button: 'right', position: { x: 300, y: 400 } })
      await page.getByRole('menu', { name: 'Actions for this folder' }).waitFor()
      await openMore(page)
      await page.getByRole('menuitem', { name: 'Reverse order' }).waitFor()
    }
    const chosen = () =>
      page
        .getByRole('menuitem', { name: /^(Sort|Reverse)/ })
        .evaluateAll((all) => all.map((one) => [one.textContent, one.querySelectorAll('svg').length === 2]))
    await openMenu()
    expect(await chosen()).toEqual([
      ['Sort by name', true],
      ['Sort by size', false],
      ['Sort by last modified', false],
      ['Reverse order', false],
    ])
    await page.getByRole('menuitem', { name: 'Sort by size' }).click()
    await eventually(() => namesShown(page), ['Docs', 'scan.pdf', 'report.txt'])
    await openMenu()
    expect((await chosen()).filter(([, isChosen]) => isChosen)).toEqual([['Sort by size', true]])
    await page.getByRole('menuitem', { name: 'Reverse order' }).click()
    await eventually(() => namesShown(page), ['Docs', 'report.txt', 'scan.pdf'])
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    await eventually(
      () => page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'),
      'ascending',
    )
  })

  test('what is pressed before the code that follows the rows has arrived happens later, unless Escape takes it back', async () => {
    const page = await window(withMotion)
    let code = Promise.withResolvers<void>()
    await page.route(/\/later-[^/]*\.js/, async (route) => {
      await code.promise
      await route.continue()
    })
    const reload = async (): Promise<void> => {
      code = Promise.withResolvers()
      await page.reload()
      await row.waitFor()
    }
    /** Lets the code arrive, and waits until it has run. */
    const receiveCode = async (): Promise<void> => {
      code.resolve()
      await page.getByRole('treeitem').first().waitFor()
    }
    await signIn(page, server(), ada)
    const row = rowOf(page, /report\.txt/)
    await row.click({ button: 'right' })
    expect(await page.getByRole('menu').count()).toBe(0)
    code.resolve()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    expect(await row.getAttribute('aria-selected')).toBe('true')

    // Escape closes the menu and keeps the selection.
    await reload()
    await row.click({ button: 'right' })
    await page.keyboard.press('Escape')
    await receiveCode()
    expect(await page.getByRole('menu').count()).toBe(0)
    expect(await row.getAttribute('aria-selected')).toBe('true')

    // Other keys do not select another row for the menu. A press elsewhere closes the menu.
    await reload()
    await row.click({ button: 'right' })
    await page.keyboard.press('ArrowUp')
    code.resolve()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    expect(await row.getAttribute('aria-selected')).toBe('true')
    await reload()
    await row.click({ button: 'right' })
    await rowOf(page, /Docs/).click()
    await receiveCode()
    expect(await page.getByRole('menu').count()).toBe(0)
    // The same holds for the menu of a button.
    await reload()
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.keyboard.press('Escape')
    await receiveCode()
    expect(await page.getByRole('menu').count()).toBe(0)

    // Escape also closes a prompt.
    await reload()
    await row.click()
    await page.getByRole('button', { name: 'Info' }).click()
    await page.keyboard.press('Escape')
    await receiveCode()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await row.getAttribute('aria-selected')).toBe('true')

    // The field of a prompt receives what was typed for it. In a row, it replaces the name without its extension.
    await reload()
    await row.click()
    await page.keyboard.press('F2')
    await page.keyboard.type('final')
    code.resolve()
    const field = page.getByRole('textbox', { name: /report\.txt/ })
    await eventually(() => field.inputValue(), 'final.txt')
    await page.keyboard.press('Escape')
    await page.unroute(/\/later-[^/]*\.js/)
  })

  test('the menu of rows is short, with the rarer actions under More, shows them in the preview and copies their addresses, and the menu New uploads chosen files', async () => {
    const page = await openRoot()
    const row = rowOf(page, /report\.txt/)
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Preview' }).waitFor()
    expect(await menuItems(page)).toEqual([
      'Open\nEnter',
      'Preview\nSpace',
      'Share',
      'Download\nCtrl+S',
      'Rename\nF2',
      'Move to…',
      'Copy to…',
      'More',
      'Delete\nDel',
    ])
    await page.getByRole('menuitem', { name: 'Preview' }).click()
    const panel = page.locator('[data-part="quick-look"]')
    await panel.getByText('figures').waitFor()
    await eventually(() => row.evaluate((element) => element === document.activeElement), true)
    await page.keyboard.press('Space')
    await panel.waitFor({ state: 'detached' })

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await row.click({ button: 'right' })
    await openMore(page)
    await page.getByRole('menuitem', { name: 'Copy address' }).click()
    await page.getByText('Address copied').first().waitFor()
    await eventually(copied, `${server().url}/files/report.txt`)
    await rowOf(page, /Docs/).click({ modifiers: ['Control'] })
    await row.click({ button: 'right' })
    await openMore(page)
    await page.getByRole('menuitem', { name: 'Copy address' }).click()
    await page.getByText('2 addresses copied').first().waitFor()
    await eventually(copied, `${server().url}/files/Docs/\n${server().url}/files/report.txt`)
    // The quick look shows the row under the pointer, and the arrow keys stay among the selected rows.
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Preview' }).click()
    await panel.getByText('figures').waitFor()
    await page.keyboard.press('ArrowUp')
    await eventually(() => panel.getAttribute('aria-label'), 'Preview: Docs')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })

    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('menuitem', { name: 'Upload files' }).click(),
    ])
    await chooser.setFiles({ name: 'chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('chosen') })
    await rowOf(page, /chosen\.txt/).waitFor()
    await eventually(() => readdirSync(server().folder).includes('chosen.txt'), true)
  })

  test('on a phone, New offers the camera, and the selection replaces New by its own actions', async () => {
    const page = await openRoot(ada, phone)
    const box = await page.getByRole('button', { name: 'New', exact: true }).boundingBox()
    expect(box!.x + box!.width).toBe(phone.viewport.width - 16)
    await page.getByRole('button', { name: 'New', exact: true }).tap()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('menuitem', { name: 'Take photo' }).tap(),
    ])
    expect(await chooser.element().evaluate((input) => [(input as Element).getAttribute('capture')])).toEqual(
      ['environment'],
    )
    // The view control is beside the breadcrumb, and actions that need a selection are in the bar of the selection.
    await page.getByRole('button', { name: 'View', exact: true }).waitFor()
    await page.getByRole('button', { name: 'More' }).tap()
    const labels = (await menuItems(page)).map((text) => text.split('\n')[0])
    expect(labels).toEqual(['Download', 'Upload', 'Info', 'Select multiple'])
    expect(
      await page
        .getByRole('menuitem')
        .first()
        .evaluate((item) => getComputedStyle(item).outlineStyle),
    ).toBe('none')
  })
})
