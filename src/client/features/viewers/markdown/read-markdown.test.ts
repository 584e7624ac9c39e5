import { expect, test } from 'vitest'
import { partLimits, readMarkdown } from './read-markdown.ts'

const htmlOf = (source: string): string => [...readMarkdown(source)].map(({ html }) => html).join('')
const table = (columns: number): string =>
  `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n|${'b|'.repeat(columns)}\n`
const readsUpTo = (make: (count: number) => string, count: number): void => {
  expect(htmlOf(make(count))).toContain('a')
  expect(() => htmlOf(make(count + 1))).toThrow(RangeError)
}

test('a document is read part by part', () => {
  expect(htmlOf('# A *title*\n\n> quote\n')).toBe(
    '<h1>A <em>title</em></h1>\n<blockquote>\n<p>quote</p>\n</blockquote>\n',
  )
})

test('tables have a largest number of columns, also inside of lists and quotations', () => {
  readsUpTo(table, partLimits.columns)
  const wide = table(partLimits.columns + 1).trimEnd()
  for (const prefix of ['> ', '> > '])
    expect(() => htmlOf(wide.replaceAll(/^/gm, prefix))).toThrow(RangeError)
  expect(() => htmlOf(`- a\n\n${wide.replaceAll(/^/gm, '  ')}`)).toThrow(RangeError)
})

const lines = (count: number): string => `a${'<br>'.repeat(count - 2)}`

test('a part has a largest number of tags', () => {
  // The paragraph has two tags of its own.

  readsUpTo(lines, partLimits.tags)
  expect(htmlOf(lines(3))).toBe('<p>a<br></p>\n')
})

test('quotations that are too deep are refused', () => {
  expect(() => htmlOf('>'.repeat(20_000))).toThrow(RangeError)
})
