import { array, assert, constantFrom, property } from 'fast-check'
import { marked, Parser } from 'marked'
import { expect, test } from 'vitest'
import { partsOfMarkdown } from './markdown-parts.ts'

const htmlOf = (source: string): string[] =>
  [...partsOfMarkdown(source)].map((tokens) => Parser.parse(tokens))
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
