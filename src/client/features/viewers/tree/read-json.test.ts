import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { valueText } from './describe-node.ts'
import { isContainer, kindOf } from './json-nodes.ts'
import { type JsonDocument, readJson } from './read-json.ts'

const plain = { hasComments: false, isSequence: false, isBeginning: false }
const read = (text: string, options: Partial<typeof plain> = {}) => readJson(text, { ...plain, ...options })
const problemOf = (text: string, options: Partial<typeof plain> = {}) => read(text, options).problem

/** Builds the value of a node, to compare it with that of the platform's parser. */
const valueOf = (document: JsonDocument, node: number): unknown => {
  const { nodes, text } = document
  const kind = kindOf(nodes, node)
  if (kind === 'string') return valueText(document, node, text.length)
  if (!isContainer(kind)) return JSON.parse(text.slice(nodes.starts[node], nodes.ends[node]))
  const entries: [string, unknown][] = []
  const end = nodes.nexts[node] ?? 0
  for (let child = node + 1; child < end; child = nodes.nexts[child] ?? end) {
    const key = text.slice(nodes.keyStarts[child], nodes.keyEnds[child])
    entries.push([kind === 'array' ? '' : (JSON.parse(key) as string), valueOf(document, child)])
  }
  return kind === 'array' ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('every JSON value is read as the platform reads it', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 0, max: 3 }), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent)
      const document = read(text)
      expect(document.problem).toBeNull()
      expect(valueOf(document, 0)).toEqual(JSON.parse(text))
    }),
  )
})

test('a text is refused exactly when the platform refuses it', () => {
  const parts = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '1',
    '-',
    '.5e+2',
    '0',
    'true',
    'nul',
    ' ',
    '\\',
    '\n',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), (chosen) => {
      const text = chosen.join('')
      expect([text, problemOf(text) === null]).toEqual([text, isJson(text)])
    }),
    { numRuns: 3000 },
  )
})

test.each([
  ['{"a": 1,\n  "b": tru}', { line: 2, column: 8, found: 't' }],
  ['[1, 2', { line: 1, column: 6, found: '' }],
  ['', { line: 1, column: 1, found: '' }],
  ['[1 2]', { line: 1, column: 4, found: '2' }],
  ['{"a": "x\ny"}', { line: 1, column: 9, found: '\n' }],
  ['[1,]', { line: 1, column: 4, found: ']' }],
  ['[] x', { line: 1, column: 4, found: 'x' }],
])('%j has its problem at %j', (text, problem) => {
  expect(problemOf(text)).toEqual(problem)
})

test('the values before a problem are kept', () => {
  expect(valueOf(read('{"a": [1, 2], "b": {"c": 3, oops'), 0)).toEqual({ a: [1, 2], b: { c: 3 } })
})

test('comments and last commas are allowed where the format has them', () => {
  const text = '// a\n{"a": [1, /* two */ 2,], // b\n}'
  expect([problemOf(text) !== null, problemOf(text, { hasComments: true })]).toEqual([true, null])
})

test('a sequence of values is a list', () => {
  const document = read('{"a":1}\n{"a":2}\n\n3', { isSequence: true })
  expect([document.problem, valueOf(document, 0)]).toEqual([null, [{ a: 1 }, { a: 2 }, 3]])
})

test('the beginning of a file has no problem at its end', () => {
  expect(problemOf('[1, {"a": [2, ', { isBeginning: true })).toBeNull()
})

test('a text of a million levels is read', () => {
  const { problem, nodes } = read('['.repeat(1_000_000) + ']'.repeat(1_000_000))
  expect([problem, nodes.count]).toEqual([null, 1_000_000])
})
