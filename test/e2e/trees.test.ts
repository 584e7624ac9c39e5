import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const place = `{
  "name": "Z\\u00fcrich <img src=x onerror='top.hacked = 1'>",
  "id": 12345678901234567890,
  "parts": [{"kind": "a"}, {"kind": "b"}],
  "closed": false
}`
const many = JSON.stringify(Array.from({ length: 250_000 }, (_, id) => ({ id, tags: ['x', 'y'] })))

const files = {
  'broken.json': '{\n  "a": [1, 2],\n  "b": oops\n}',
  'events.jsonl': '{"at":1}\n{"at":2}\n',
  'many.json': many,
  'place.json': place,
}

const tree = (page: Page) => page.locator('[data-part="tree"]')
const items = (page: Page) => tree(page).getByRole('treeitem')
const textsOf = async (page: Page) =>
  (await items(page).allInnerTexts()).map((text) => text.replaceAll('\n', ''))
const edit = (page: Page) => page.getByRole('button', { name: 'Edit', exact: true }).click()
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

atRoot({ files }, ({ server, window }) => {
  const openList = async () => {
    const page = await window()
    await signIn(page, server(), ann)
    return page
  }
  const openBesideEditor = async (name: string) => {
    const page = await openList()
    await rowOf(page, name).dblclick()
    await edit(page)
    await page.getByRole('button', { name: 'Show the tree' }).click()
    await tree(page).getByRole('tree').waitFor()
    return page
  }

  test('a source and its tree are read from left to right in a page that is not', async () => {
    const eve = { name: 'eve', password: 'eve has a long password' }
    await server().cli('users', 'add', eve.name, eve.password, '--locale', 'ar-XB')
    const page = await window()
    await signIn(page, server(), eve, '/files/place.json')
    const directionOf = (selector: string) =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).direction)
    await eventually(() => page.evaluate(() => document.documentElement.dir), 'rtl')
    const key = items(page).filter({ hasText: 'closed' })
    await key.waitFor()
    const startOf = async (text: string) => (await key.getByText(text, { exact: true }).boundingBox())?.x ?? 0
    expect(await startOf('false')).toBeGreaterThan(await startOf('closed'))
    await page.goto(`${server().url}/files/place.json?edit`)
    await eventually(() => directionOf('[data-part="editor"] .cm-content'), 'ltr')
  })

  test('a tree is shown beside its source and follows the typing, the arrow keys move in it, and an invalid text tells where it is wrong', async () => {
    const page = await openBesideEditor('broken.json')
    await tree(page).getByText('unexpected “o” in line 3, column 8.').waitFor()
    expect(await textsOf(page)).toEqual(['1 key', 'a: 2 entries', '0: 1', '1: 2'])

    // The tree stays beside the text of the next file.
    await page.getByRole('button', { name: 'Close the file' }).click()
    await rowOf(page, 'place.json').dblclick()
    await edit(page)
    await page.locator('[data-part="text-rendering"]').waitFor()
    await eventually(
      () => textsOf(page),
      [
        '4 keys',
        `name: "Zürich <img src=x onerror='top.hacked = 1'>"`,
        'id: 12345678901234567890',
        'parts: 2 entries',
        '0: 1 key',
        'kind: "a"',
        '1: 1 key',
        'kind: "b"',
        'closed: false',
      ],
    )
    await tree(page).getByText('9 values').waitFor()
    expect(await violationsIn(page, 'light')).toEqual([])

    await items(page).first().focus()
    await page.keyboard.press('End')
    await eventually(() => focusedText(page), 'closed: false')
    await page.keyboard.press('ArrowUp')
    await eventually(() => focusedText(page), 'kind: "b"')
    await tree(page).getByText('$.parts[1].kind').waitFor()
    await page.keyboard.press('ArrowLeft')
    await eventually(() => focusedText(page), '1: 1 key')
    await page.keyboard.press('ArrowLeft')
    await eventually(() => items(page).count(), 8)
    expect(await items(page).filter({ hasText: '1: 1 key' }).getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('ArrowRight')
    await eventually(() => items(page).count(), 9)
    await page.keyboard.press('ArrowRight')
    await eventually(() => focusedText(page), 'kind: "b"')
    await page.getByRole('toolbar').getByRole('button', { name: 'Copy the path of the value' }).click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Copied').waitFor()
    expect(new URL(page.url()).pathname).toBe('/files/place.json')

    await items(page).filter({ hasText: 'parts' }).click()
    await eventually(() => items(page).count(), 5)
    await page.locator('[data-part="editor"]').getByRole('textbox').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('[')
    await tree(page).getByText('the text ends too early, in line 6, column 2').waitFor()
    await page.keyboard.press('Control+z')
    await tree(page).getByText('not valid JSON').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
  })

  test('the quick look shows a tree alone: lines of values, and a million values with the last one by a key', async () => {
    const page = await openList()
    await rowOf(page, 'events.jsonl').click()
    await page.keyboard.press('Space')
    await eventually(() => textsOf(page), ['2 entries', '0: 1 key', 'at: 1', '1: 1 key', 'at: 2'])
    await page.keyboard.press('ArrowDown')
    await tree(page).getByText('1,250,001 values').waitFor()
    await page.getByRole('toolbar').getByRole('button', { name: 'Expand all' }).click()
    await eventually(async () => (await textsOf(page)).slice(0, 3), ['250,000 entries', '0: 2 keys', 'id: 0'])
    await items(page).first().focus()
    await page.keyboard.press('End')
    await eventually(() => focusedText(page), '1: "y"')
    await tree(page).getByText('$[249999].tags[1]').waitFor()
    expect(await items(page).count()).toBeLessThan(100)
    await page.getByRole('toolbar').getByRole('button', { name: 'Collapse all' }).click()
    await eventually(async () => (await textsOf(page)).slice(0, 1), ['250,000 entries'])
    expect(await violationsIn(page, 'dark')).toEqual([])
  })
})
