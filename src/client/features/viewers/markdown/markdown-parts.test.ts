import { array, assert, constantFrom, property } from 'fast-check'
import { marked, Parser } from 'marked'
import { expect, test } from 'vitest'
import { partsOfMarkdown } from './markdown-parts.ts'

const htmlOf = (source: string): string[] =>
  [...partsOfMarkdown(source)].map(({ tokens }) => Parser.parse(tokens))
const paragraph = `${'word '.repeat(200)}\n\n`

test('a long document comes in several parts, which together are the document', () => {
  const source = `# A **title**\n\n${'| a | b |\n|---|---|\n| *1* | 2 |\n\n- [x] done\n- one\n\n  two\n\n> quote\n\nA [link][ref].\r\n\n'.repeat(500)}[ref]: other.md\n`
  const parts = htmlOf(source)
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.join('')).toBe(marked.parse(source, { async: false, gfm: true }))
})

test('raw HTML is not split between a tag and its end', () => {
  const folded = `<details><summary>More</summary>\n\n${paragraph.repeat(20)}</details>\n\n`
  const parts = htmlOf(folded + paragraph.repeat(20))
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.map((html) => html.includes('<details>') === html.includes('</details>'))).not.toContain(false)
})

test('a tag that is never closed does not join the rest of a document', () => {
  expect(htmlOf(`<details>\n\n${paragraph.repeat(20)}`).length).toBeGreaterThan(1)
})

test('a long list comes in several lists, whose numbers continue', () => {
  const items = Array.from({ length: 2000 }, (_, index) => `${index + 5}. item **${index}**\n`)
  const parts = htmlOf(`Before\n\n${items.join('')}\nAfter\n`)
  const starts = parts.map((html) => Number(/<ol start="(\d+)">/.exec(html)?.[1]))
  const counts = parts.map((html) => html.split('<li>').length - 1)
  expect(parts.length).toBeGreaterThan(5)
  expect(starts).toEqual(starts.map((_, at) => counts.slice(0, at).reduce((sum, count) => sum + count, 5)))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2000)
  expect([parts[0]?.startsWith('<p>Before</p>'), parts.at(-1)?.endsWith('<p>After</p>\n')]).toEqual([
    true,
    true,
  ])
  expect(parts.join('')).toContain('<li>item <strong>1999</strong></li>')
})

test('a long table comes in several tables, of which only the first has headings', () => {
  const rows = Array.from({ length: 2000 }, (_, index) => `| ${index} | *two* |\n`)
  const source = `| One | Two |\n|---|--:|\n${rows.join('')}\nAfter\n`
  const parts = [...partsOfMarkdown(source)]
  const html = htmlOf(source)
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.map(({ continued }) => continued)).toEqual(parts.map((_, at) => (at === 0 ? null : 'table')))
  expect(parts[0]?.columns).toEqual([
    { word: 4, text: 4 },
    { word: 5, text: 5 },
  ])
  expect(html.map((part) => part.includes('One'))).toEqual(html.map((_, at) => at === 0))
  expect(html.join('').match(/<td>\d+<\/td>\n<td align="right"><em>two<\/em><\/td>/g)?.length).toBe(2000)
})

test('a long list between two tags stays whole', () => {
  const list = '- item\n'.repeat(2000)
  expect(htmlOf(`<details>\n\n${list}\n</details>\n`).length).toBe(1)
})

test('the parts of any text are its whole', () => {
  const words = constantFrom(
    '# ',
    '**',
    '`',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '> ',
    '<b>',
    '</b>',
    '|',
    '---',
    '[a](b)',
    'text ',
    '```',
    '    ',
    '[ ] ',
    '\r\n',
  )
  assert(
    property(array(words, { maxLength: 60 }), (parts) => {
      const source = parts.join('')
      expect(htmlOf(source).join('')).toBe(marked.parse(source, { async: false, gfm: true }))
    }),
  )
})
