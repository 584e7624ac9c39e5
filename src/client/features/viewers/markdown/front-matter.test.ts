import { expect, test } from 'vitest'
import { separateFrontMatter } from './front-matter.ts'

test.each([
  ['YAML', '---\ntitle: Front\n---\n# Title', [['title', 'Front']], '# Title'],
  [
    'YAML that ends with dots, from Windows',
    '\uFEFF---\r\ntitle: "A: b"\r\n...\r\nText',
    [['title', 'A: b']],
    'Text',
  ],
  [
    'lists and texts of several lines',
    '---\ntags:\n  - a\n  - b\n# a remark\nsummary: >\n  one\n  two\n---\n',
    [
      ['tags', 'a b'],
      ['summary', '> one two'],
    ],
    '',
  ],
  ['TOML', "+++\ntitle = 'x'\n+++\nText", [['title', 'x']], 'Text'],
  ['empty front matter', '---\n---\nText', [], 'Text'],
])('%s at the beginning is no part of the text', (_name, source, rows, body) => {
  expect(separateFrontMatter(source)).toEqual({ rows, body })
})

test.each([
  '---\nA sentence between lines.\n---\nText',
  '---\ntitle: no end',
  'Title\n---\nText',
  '--- x\na: b\n---\n',
])('%j has no front matter', (source) =>
  expect(separateFrontMatter(source)).toEqual({ rows: [], body: source }),
)

test('front matter of a megabyte that never ends is read in linear time', () => {
  const source = `---\n${'a: b\n'.repeat(200_000)}`
  expect(separateFrontMatter(source).rows).toEqual([])
})

test('names and values are cut at 1000 characters', () => {
  const { rows } = separateFrontMatter(`---\n${'n'.repeat(5000)}: ${'v'.repeat(5000)}\n---\n`)
  expect(rows).toEqual([['n'.repeat(1000), 'v'.repeat(1000)]])
})
