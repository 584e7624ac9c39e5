import { expect, test, vi } from 'vitest'
import type { JsonMessage, JsonRow } from './json-messages.ts'
import { isContainer } from './json-nodes.ts'
import { createJsonSession } from './json-session.ts'

const lineOf = ({ level, key, kind, text, size, isOpen }: JsonRow): string =>
  `${'-'.repeat(level)} ${key ?? ''} ${isContainer(kind) ? `${kind} ${size}${isOpen ? ' open' : ''}` : text}`

/** Opens a text as a tree, whose window has its first 20 rows. */
const openTree = async (text: string, name = 'a.json') => {
  const messages: JsonMessage[] = []
  const send = createJsonSession((message) => messages.push(message))
  const last = () => messages.findLast((message) => message.kind === 'content')?.content
  send({ kind: 'show', window: { first: 0, end: 20, active: 0 } })
  send({ kind: 'open', name, source: { kind: 'text', value: text } })
  await vi.waitUntil(() => last() !== undefined)
  return { messages, send, last, lines: () => last()?.rows.map(lineOf) }
}

const sample =
  '{"name": "Zo\\u00eb \\"Z\\"", "id": 12345678901234567890, "list": [true, {"deep key": null}], "empty": {}}'

test('a small tree is open, and numbers keep their digits', async () => {
  const { lines, last } = await openTree(sample)
  expect(lines()).toEqual([
    '-  object 4 open',
    '-- name Zoë "Z"',
    '-- id 12345678901234567890',
    '-- list array 2 open',
    '--- 0 true',
    '--- 1 object 1 open',
    '---- deep key null',
    '-- empty object 0 open',
  ])
  expect(last()).toMatchObject({ values: 8, shown: 8, problem: null, isCut: false })
})

test('rows are closed and opened, one by one and all', async () => {
  const { send, lines } = await openTree(sample)
  send({ kind: 'toggle', row: 3 })
  expect(lines()?.slice(3)).toEqual(['-- list array 2', '-- empty object 0 open'])
  send({ kind: 'close-all' })
  expect(lines()).toHaveLength(5)
  send({ kind: 'open-all' })
  expect(lines()).toHaveLength(8)
})

test('the path and the value of the active row are told, and copied', async () => {
  const { send, last, messages } = await openTree(sample)
  send({ kind: 'show', window: { first: 0, end: 2, active: 6 } })
  expect(last()?.active).toMatchObject({ path: '$.list[1]["deep key"]', text: 'null', row: { parent: 5 } })
  send({ kind: 'show', window: { first: 0, end: 2, active: 5 } })
  send({ kind: 'copy', part: 'value' })
  expect(messages.at(-1)).toEqual({ kind: 'copied', text: '{"deep key": null}' })
  send({ kind: 'copy', part: 'path' })
  expect(messages.at(-1)).toEqual({ kind: 'copied', text: '$.list[1]' })
})

const largeText = (extra: string): string =>
  JSON.stringify({ a: Array.from({ length: 200 }, (_, n) => n), b: [1], extra })

test('a large tree opens with its first level, and another text keeps what is open', async () => {
  const { send, lines, last } = await openTree(largeText('x'))
  expect(lines()).toEqual(['-  object 3 open', '-- a array 200', '-- b array 1', '-- extra x'])
  send({ kind: 'toggle', row: 2 })
  send({ kind: 'open', name: 'a.json', source: { kind: 'text', value: largeText('y') } })
  await vi.waitUntil(() => last()?.rows.at(-1)?.text === 'y')
  expect(lines()).toEqual([
    '-  object 3 open',
    '-- a array 200',
    '-- b array 1 open',
    '--- 0 1',
    '-- extra y',
  ])
})

test('an object in the place of a list is open', async () => {
  const { send, lines } = await openTree('[1]')
  expect(lines()).toEqual(['-  array 1 open', '-- 0 1'])
  send({ kind: 'open', name: 'a.json', source: { kind: 'text', value: '{"a": 1}' } })
  await vi.waitUntil(() => lines()?.[0]?.includes('object'))
  expect(lines()).toEqual(['-  object 1 open', '-- a 1'])
})

test('lines of values are a list, and an invalid text tells where', async () => {
  const { lines } = await openTree('{"a":1}\n2\n', 'a.jsonl')
  expect(lines()).toEqual(['-  array 2 open', '-- 0 object 1 open', '--- a 1', '-- 1 2'])
  expect((await openTree('{"a":}')).last()?.problem).toEqual({ line: 1, column: 6, found: '}' })
})

test('a long string is shortened in its row, and no escape is cut', async () => {
  for (let offset = 0; offset < 12; offset += 1) {
    const text = 'x'.repeat(offset) + '\u0001\\'.repeat(900)
    const { last } = await openTree(JSON.stringify([text]))
    expect(last()?.rows[1]?.text).toBe(`${text.slice(0, 200)}…`)
  }
})
