import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page, WebSocketRoute } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually } from './journeys.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const names = Array.from({ length: 40 }, (_, at) => `letter ${at + 10}.txt`)
const files = {
  ...Object.fromEntries(names.map((name) => [name, ''])),
  'the minutes of the general meeting of the whole society in the autumn.docx': '',
}

atRoot({ files }, ({ server, window, freshWindow }) => {
  const openRoot = async (page: Page): Promise<Page> => {
    await signIn(page, server(), ann)
    await rowOf(page, /letter 10/).waitFor()
    return page
  }

  test('the bar for selected rows covers no row, leads to all actions of the menu, and with text of 200 % names and targets stay whole', async () => {
    const page = await openRoot(await window(phone))
    const bar = page.getByRole('toolbar', { name: 'Selection' })
    const last = rowOf(page, /general meeting/)
    await rowOf(page, /letter 10/).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Control+a')
    await eventually(async () => (await edgesOf(last)).bottom <= (await edgesOf(bar)).top, true)
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 640 })
      // A key that is pressed before the list knows its new height would scroll by the old one.
      await eventually(async () => {
        await page.keyboard.press('Home')
        await page.keyboard.press('End')
        return (await edgesOf(last)).bottom <= (await edgesOf(bar)).top
      }, true)
      expect(await heightOf(bar)).toBeLessThan(60)
    }

    // The bar has its count as a sentence, and leads to all actions of the menu.
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.locator('#listing').evaluate((list) => list.scrollTo(0, 0))
    const sentence = (text: string) => bar.getByText(text, { exact: true })
    const buttons = bar.getByRole('button')
    await rowOf(page, /letter 12/).focus()
    await page.keyboard.press('Control+Space')
    for (const width of [390, 360, 320]) {
      await page.setViewportSize({ width, height: 640 })
      await eventually(async () => (await heightOf(bar)) < 60, true)
      // Where an action has no room, the menu "More" has it.
      expect(await buttons.count()).toBe(7)
      for (const button of await buttons.all()) {
        const { width: targetWidth, end } = await edgesOf(button)
        expect([width, targetWidth >= 40, end <= width]).toEqual([width, true, true])
      }
      expect((await isOnTop(sentence('1 selected'))) || width === 320).toBe(true)
    }
    await page.setViewportSize(phone.viewport)
    await bar.getByRole('button', { name: 'More', exact: true }).click()
    const menu = page.getByRole('menu')
    for (const name of ['Duplicate', 'Cut', 'Copy', 'Copy address', 'Compress', 'Preview', 'Open in new tab'])
      await menu.getByRole('menuitem', { name, exact: true }).waitFor()
    await eventually(async () => Math.round((await edgesOf(menu)).bottom), 844)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    expect(await rowOf(page, /letter 12/).getAttribute('aria-selected')).toBe('true')
    await rowOf(page, /letter 13/).click({ modifiers: ['ControlOrMeta'] })
    await eventually(() => isOnTop(sentence('2 selected')), true)
    await bar.getByRole('button', { name: 'More', exact: true }).click()
    await menu.getByRole('menuitem', { name: 'Rename several', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })

    // At a text size of 200 %, names keep their start, and the header shows its targets whole.
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'))
    await page.locator('#listing').evaluate((list) => list.scrollTo(0, 0))
    await rowOf(page, /letter 10/).focus()
    await page.keyboard.press('End')
    await eventually(async () => (await heightOf(last)) > 100, true)
    expect(await heightOf(last.locator('[data-part="name-start"]'))).toBeGreaterThan(0)
    expect((await edgesOf(last.locator('[data-part="name-start"]'))).width).toBeGreaterThan(50)
    const header = await edgesOf(page.getByRole('banner'))
    for (const name of ['Toggle sidebar', 'Search', 'More']) {
      const button = await edgesOf(page.getByRole('banner').getByRole('button', { name, exact: true }))
      expect([name, button.bottom <= header.bottom, button.end <= 390]).toEqual([name, true, true])
    }
    await page.keyboard.press('Control+a')
    expect(await heightOf(bar)).toBeLessThan(160)

    // A number is announced although the last announcement ends with the same text.
    const announced = () => page.locator('[aria-live="polite"]').innerText()
    await eventually(announced, '41 selected')
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Space')
    await sentence('1 selected').waitFor({ state: 'attached' })
    await eventually(announced, '1 selected')
  })

  test('menus have all their items, a long press opens one at the lower edge, and no part there covers another one', async () => {
    const page = await openRoot(await window(phone))
    await rowOf(page, /letter 12/).click({ button: 'right' })
    const menu = page.getByRole('menu')
    const remove = menu.getByRole('menuitem', { name: 'Delete' })
    await eventually(async () => Math.round((await edgesOf(menu)).bottom), 844)
    expect((await edgesOf(menu)).width).toBe(390)
    expect((await edgesOf(remove)).bottom).toBeLessThanOrEqual(844)
    expect(await menu.getByText('F2').isVisible()).toBe(false)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.locator('[role="row"][aria-selected="true"]').waitFor({ state: 'detached' })

    // Each row has a button for its menu, which covers no name.
    const long = rowOf(page, /general meeting/)
    await rowOf(page, /letter 10/).focus()
    await page.keyboard.press('End')
    await long.waitFor()
    const button = long.getByRole('button', { name: /^Actions for/ })
    const name = long.locator('[data-part="name"]')
    expect((await edgesOf(button)).width).toBeGreaterThanOrEqual(44)
    const buttonStart = (await button.boundingBox())?.x ?? 0
    expect((await edgesOf(name)).end).toBeLessThanOrEqual(buttonStart)
    await button.tap()
    await menu.getByRole('menuitem', { name: 'Rename' }).waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.locator('[role="row"][aria-selected="true"]').waitFor({ state: 'detached' })

    // Lifting the finger that has opened the menu by a long press does nothing.
    await page.locator('#listing').evaluate((list) => list.scrollTo(0, 0))
    await rowOf(page, /letter 17/).waitFor()
    const touch = await page.context().newCDPSession(page)
    const { x = 0, y = 0, height = 0 } = (await rowOf(page, /letter 17/).boundingBox()) ?? {}
    const press = () =>
      touch.send('Input.dispatchTouchEvent', {
        type: 'touchStart',
        touchPoints: [{ x: x + 150, y: y + height / 2 }],
      })
    const lift = () => touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await press()
    await page.getByRole('toolbar', { name: 'Selection' }).getByText('1 selected').waitFor()
    await lift()
    await press()
    await menu.waitFor()
    await eventually(async () => Math.round((await edgesOf(menu)).bottom), 844)
    expect((await edgesOf(menu)).top).toBeLessThan(y)
    await lift()
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await menu.isVisible()).toBe(true)
    expect(await page.getByRole('dialog', { name: /Copy|Delete|Compress|Info|Rename|Move/ }).count()).toBe(0)
    // The rarer actions appear in the place of *More*.
    await menu.getByRole('menuitem', { name: 'More' }).tap()
    await menu.getByRole('menuitem', { name: 'More' }).waitFor({ state: 'detached' })
    await menu.getByRole('menuitem', { name: 'Info' }).tap()
    await page.getByRole('dialog', { name: 'Info' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.locator('[role="row"][aria-selected="true"]').waitFor({ state: 'detached' })
    // The long press has begun the mode for several entries, which the next press of Escape ends.
    await page.keyboard.press('Escape')
    await page.getByRole('toolbar', { name: 'Selection' }).waitFor({ state: 'detached' })
    await touch.detach()

    // The tray, the notices and the buttons at the lower edge do not cover each other.
    await page.route('**/api/resources/held.txt*', (route) =>
      route.request().method() === 'POST' ? undefined : route.continue(),
    )
    const input = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Upload files' }).click()
    await (await input).setFiles({ name: 'held.txt', mimeType: 'text/plain', buffer: Buffer.from('held') })
    const tray = page.locator('[data-part="uploads"]')
    await tray.waitFor()
    await page.route('**/api/resources/letter%2010.txt', (route) => route.fulfill({ status: 500 }))
    await rowOf(page, /letter 10/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    const notice = page.locator('[data-part="notices"] > div')
    await notice.first().waitFor()
    const selectionBar = page.getByRole('toolbar', { name: 'Selection' })
    await eventually(() => areApart([selectionBar, tray, notice.first()]), true)
    await tray.getByRole('button', { expanded: false }).click()
    await eventually(() => areApart([selectionBar, tray, notice.first()]), true)
    await selectionBar.getByRole('button', { name: 'Clear', exact: true }).click()
    const create = page.getByRole('button', { name: 'New', exact: true })
    await create.waitFor()
    await eventually(() => areApart([create, tray, notice.first()]), true)

    // The bar of the multiple-selection mode takes the place of the button that adds files.
    await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Select multiple' }).click()
    await selectionBar.getByText('Multiple selection enabled').waitFor()
    await eventually(() => create.count(), 0)
  })

  test('fields have a text of 16 px, so that the page is not enlarged, and items whose names look the same are marked', async () => {
    const page = await openRoot(await window(phone))
    await writeFile(path.join(server().folder, 'caf\u00e9.txt'), '')
    await writeFile(path.join(server().folder, 'cafe\u0301.txt'), '')
    await eventually(() => page.getByRole('row', { name: /another item has a name/i }).count(), 2)
    await page.goto(`${server().url}/settings/profile`)
    await page.locator('input[type="password"]').first().waitFor()
    const sizes = () =>
      page
        .locator('input:not([type="checkbox"], [type="radio"]), select, textarea')
        .evaluateAll((fields) => fields.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)))
    expect(Math.min(...(await sizes()))).toBeGreaterThanOrEqual(16)
    await page.goto(`${server().url}/files/caf%C3%A9.txt`)
    const text = page.getByRole('textbox', { name: 'café.txt' })
    expect(await text.evaluate((element) => getComputedStyle(element).fontSize)).toBe('16px')
  })

  test('a lost connection is said at the lower edge of the list, and moves no row', async () => {
    const page = await freshWindow(phone)
    const sockets: WebSocketRoute[] = []
    await page.routeWebSocket(/\/api\/events/, (socket) => {
      if (sockets.push(socket) === 1) socket.connectToServer()
      // A socket that is closed at once can open before, and counts as a connection then.
      else return new Promise<void>(() => undefined)
      return undefined
    })
    await openRoot(page)
    await eventually(() => sockets.length, 1)
    expect(await page.getByText('Reconnecting…').count()).toBe(0)
    const row = rowOf(page, /letter 10/)
    const before = await row.boundingBox()
    await sockets[0]?.close()
    const message = page.getByText('Reconnecting…')
    await message.waitFor()
    expect((await edgesOf(message)).top).toBeGreaterThan(phone.viewport.height / 2)
    expect(await row.boundingBox()).toEqual(before)
    // The message makes room for the tray of the uploads.
    const setTrayHeight = (height: string) =>
      page.evaluate((value) => document.documentElement.style.setProperty('--tray-height', value), height)
    const { bottom } = await edgesOf(message)
    await setTrayHeight('200px')
    await eventually(async () => Math.round(bottom - (await edgesOf(message)).bottom), 200)
    await setTrayHeight('')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.locator('[data-part="status"]').getByText('Reconnecting…').waitFor()
    expect((await edgesOf(message)).bottom).toBeGreaterThan(870)
  })
})

type Locator = ReturnType<Page['locator']>

/** Returns the place of an element that is visible, in CSS pixels of the window. */
async function edgesOf(element: Locator) {
  const box = await element.boundingBox()
  if (box === null) throw new Error('The element is not visible.')
  return { top: box.y, bottom: box.y + box.height, end: box.x + box.width, width: box.width }
}

/** Returns true when the whole text is visible: nothing covers it or cuts it off. */
const isOnTop = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return [left + 1, right - 1].every((x) => document.elementFromPoint(x, (top + bottom) / 2) === element)
  })

const heightOf = async (element: Locator): Promise<number> => {
  const { top, bottom } = await edgesOf(element)
  return bottom - top
}

/** Returns true when each of the elements ends above the one before it in the list. */
async function areApart(elements: readonly Locator[]): Promise<boolean> {
  const edges = await Promise.all(elements.map(edgesOf))
  return edges.every(({ bottom }, at) => at === 0 || bottom <= (edges[at - 1]?.top ?? 0))
}
