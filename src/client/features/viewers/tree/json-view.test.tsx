import { beforeAll, expect, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { showFile } from '../../../../../test/components/show-file.tsx'
import { violations } from '../../../../../test/components/violations.ts'
import { notices } from '../../../state/notices.ts'

beforeAll(async () => commands.addFiles('trees'))

const tree = page.getByRole('tree')
const items = () => [...document.querySelectorAll<HTMLElement>('[data-part="tree"] [role="treeitem"]')]
const texts = () => items().map(({ innerText }) => innerText.replaceAll('\n', ''))
const focusedText = () => document.activeElement?.textContent
const press = async (...keys: readonly string[]) => userEvent.keyboard(keys.map((key) => `{${key}}`).join(''))
const tool = (name: string) => page.getByRole('toolbar').getByRole('button', { name })
const expectText = async (text: string | RegExp) => expect.element(page.getByText(text)).toBeVisible()

const placeTexts = [
  '4 keys',
  `name: "Zürich <img src=x onerror='top.hacked = 1'>"`,
  'id: 12345678901234567890',
  'parts: 2 entries',
  '0: 1 key',
  'kind: "a"',
  '1: 1 key',
  'kind: "b"',
  'closed: false',
]

/** Shows the tree of a place, with the focus on its last value. */
async function focusLast(): Promise<void> {
  await showFile('/trees/place.json')
  await expect.poll(texts).toEqual(placeTexts)
  items()[0]?.focus()
  await press('End')
  await expect.poll(focusedText).toBe('closed: false')
}

test('each value has a line, with its digits and its markup as they are written', async () => {
  await showFile('/trees/place.json')
  await expect.poll(texts).toEqual(placeTexts)
  await expectText('9 values')
  expect('hacked' in globalThis).toBe(false)
})

test('axe reports no violation of a tree in either theme', async () => {
  await showFile('/trees/place.json')
  await expect.element(tree).toBeVisible()
  expect(await violations('light')).toEqual([])
  expect(await violations('dark')).toEqual([])
})

test('a text that is no JSON shows what can be read, and where it is wrong', async () => {
  await showFile('/trees/broken.json')
  await expectText(/unexpected “o” in line 3, column 8\./)
  await expect.poll(texts).toEqual(['1 key', 'a: 2 entries', '0: 1', '1: 2'])
})

test('the arrow keys go from value to value, and the path of the value is shown', async () => {
  await focusLast()
  await press('ArrowUp')
  await expect.poll(focusedText).toBe('kind: "b"')
  await expectText('$.parts[1].kind')
})

test('the arrow to the left leads to the outer value and folds it, and the one to the right unfolds it and leads into it', async () => {
  await focusLast()
  await press('ArrowUp', 'ArrowLeft')
  await expect.poll(focusedText).toBe('1: 1 key')
  await press('ArrowLeft')
  await expect.poll(() => items().length).toBe(8)
  expect(document.activeElement?.getAttribute('aria-expanded')).toBe('false')
  await press('ArrowRight')
  await expect.poll(() => items().length).toBe(9)
  await press('ArrowRight')
  await expect.poll(focusedText).toBe('kind: "b"')
})

test('a click folds a value', async () => {
  await showFile('/trees/place.json')
  await expect.poll(texts).toEqual(placeTexts)
  await userEvent.click(items()[3] ?? document.body)
  await expect.poll(() => items().length).toBe(5)
})

test('the path of a value is copied', async () => {
  await focusLast()
  await press('ArrowUp')
  await tool('Copy the path of the value').click()
  await expect.poll(() => notices.get().map(({ text }) => text)).toEqual(['Copied'])
})

test('each line of a file of lines is a value', async () => {
  await showFile('/trees/events.jsonl', { isQuick: true })
  await expect.poll(texts).toEqual(['2 entries', '0: 1 key', 'at: 1', '1: 1 key', 'at: 2'])
})

test('a million values are unfolded and folded at once, a key reaches the last, and only those near the visible part are in the document', async () => {
  await showFile('/trees/many.json', { isQuick: true })
  await expectText('1,250,001 values')
  await tool('Expand all').click()
  await expect.poll(() => texts().slice(0, 3)).toEqual(['250,000 entries', '0: 2 keys', 'id: 0'])
  items()[0]?.focus()
  await press('End')
  await expect.poll(focusedText).toBe('1: "y"')
  await expectText('$[249999].tags[1]')
  expect(items().length).toBeLessThan(100)
  await tool('Collapse all').click()
  await expect.poll(() => texts().slice(0, 1)).toEqual(['250,000 entries'])
})
