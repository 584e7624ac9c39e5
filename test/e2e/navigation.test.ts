import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, namesShown } from './journeys.ts'

const files = { Docs: { 'letter.txt': 'dear' }, 'first.txt': '1', 'second.txt': '2' }

/** The keys or the item of the context menu that open each prompt while two files are selected. */
const promptOpeners: readonly (readonly [title: string, key: string, item?: string])[] = [
  ['Help', 'F1'],
  ['Command palette', 'Control+k'],
  ['Go to file', 'Control+p'],
  ['Delete 2 items?', 'Delete'],
  ['Download files', 'Control+Shift+s'],
  ['Upload', 'Control+u'],
  ['New folder', 'Alt+n'],
  ['New file', 'Alt+Shift+n'],
  ['Information about the selection', 'Alt+Enter'],
  ['Copy', 'Shift+F10', 'Copy to…'],
  ['Move', 'Shift+F10', 'Move to…'],
]

const selected = (page: Page) => page.locator('[role="row"][aria-selected="true"]').count()

const selectTwo = async (page: Page) => {
  await rowOf(page, /first\.txt/).click()
  await rowOf(page, /second\.txt/).click({ modifiers: ['Control'] })
  await eventually(() => selected(page), 2)
}

atRoot({ files, people: [ann] }, ({ server, window }) => {
  // Journey: navigation-1
  test('a click beside a prompt keeps the selection, another folder ends it and closes prompts, and keys without an entry and a search without a text do nothing', async () => {
    const page = await window()
    await signIn(page, server(), ann)
    await selectTwo(page)
    const before = readdirSync(server().folder)
    const closed: string[] = []
    for (const [, key, item] of promptOpeners) {
      await page.keyboard.press(key)
      if (item !== undefined) await page.getByRole('menuitem', { name: item }).press('Enter')
      const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
      closed.push(await dialog.getByRole('heading').first().innerText())
      await page.mouse.click(8, 792)
      await dialog.waitFor({ state: 'detached' })
    }
    expect(closed).toEqual(promptOpeners.map(([title]) => title))
    expect(await selected(page)).toBe(2)
    expect(readdirSync(server().folder)).toEqual(before)

    // F2 with two selected entries, and Delete without any, open nothing.
    for (const keys of [['F2'], ['Escape', 'Delete', 'F2']]) {
      for (const key of [...keys, 'F1']) await page.keyboard.press(key)
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      expect(await dialog.getByRole('heading').first().innerText()).toBe('Help')
      expect(await page.getByRole('row').getByRole('textbox').count()).toBe(0)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }

    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.keyboard.press('Control+f')
    for (const key of ['Enter', 'Space', 'Space', 'Enter']) await page.keyboard.press(key)
    await page.keyboard.press('Escape')
    await eventually(() => namesShown(page), ['Docs', 'first.txt', 'second.txt'])
    expect(asked.filter((url) => url.includes('/api/search/'))).toEqual([])

    await rowOf(page, /Docs/).dblclick()
    await rowOf(page, /letter\.txt/).waitFor()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').first().click()
    await selectTwo(page)
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor()
    await page.goBack()
    await rowOf(page, /letter\.txt/).waitFor()
    await eventually(() => page.locator('[role="dialog"], [role="alertdialog"]').count(), 0)
    await page.goForward()
    await rowOf(page, /first\.txt/).waitFor()
    expect(await selected(page)).toBe(0)
    expect(readdirSync(server().folder)).toContain('first.txt')
  })

  // Journey: navigation-2
  test('the menu New that opens before the rows adds to their folder, an address for administrators leads others to 403, and blocked entries are neither listed nor found', async () => {
    const page = await window()
    await signIn(page, server(), ann)
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
    await page.route('**/api/resources/Docs/**', async (route) => {
      await arrival
      await route.continue()
    })
    await rowOf(page, /Docs/).dblclick()
    await page.waitForURL(`${server().url}/files/Docs/`)
    await page.getByRole('button', { name: 'New', exact: true }).click()
    const item = page.getByRole('menuitem', { name: 'New folder' })
    await item.waitFor()
    arrive()
    await page.locator('[data-name="letter.txt"]').waitFor()
    await item.click()
    await page.getByRole('dialog').getByRole('textbox').fill('plans')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server().url}/files/Docs/plans/`)

    await page.goto(`${server().url}/settings/users`)
    await page.waitForURL(`${server().url}/403`)
    const refusal = page.getByRole('heading', { name: "You don't have permissions to access this." })
    await refusal.waitFor()

    await server().cli('rules', 'add', '/first.txt', '--username', ann.name)
    await page.goto(`${server().url}/files/`)
    await rowOf(page, /second\.txt/).waitFor()
    expect(await namesShown(page)).toEqual(['Docs', 'second.txt'])
    await page.keyboard.press('Control+p')
    await page.getByRole('dialog', { name: 'Go to file' }).waitFor()
    await page.keyboard.type('first')
    await page.getByText('Nothing matches “first”.').waitFor()
    await page.goto(`${server().url}/files/first.txt`)
    await refusal.waitFor()
  })
})
