import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { unusedTexts, wordsInMarkup } from './rules/texts.ts'
import { readTree, treeOf } from './source-tree.ts'

const folder = path.resolve(import.meta.dirname, '../../src')
const src = readTree(folder)
const english = readFileSync(path.join(folder, 'client/i18n/locales/en.po'), 'utf8')

test('all visible texts come from the catalogues', () => expect(wordsInMarkup(src)).toEqual([]))

test('words between tags and in visible attributes are reported, but symbols and proper names are not', () => {
  const tree = treeOf({
    'client/a.tsx': `export const a = <p title="Big" className="big">Hello {'you'} {t('x')}</p>`,
    'client/b.tsx': `export const b = <p aria-label={'Some'} id="one">· — {n} + {'B'} Stowage</p>`,
    'server/c.tsx': `export const c = <p>Words</p>`,
  })
  expect(wordsInMarkup(tree)).toEqual([
    'client/a.tsx:1 says “Big”',
    'client/a.tsx:1 says “Hello”',
    'client/a.tsx:1 says “you”',
    'client/b.tsx:1 says “Some”',
  ])
})

test('every text of the catalogue is used', () => expect(unusedTexts(src, english)).toEqual([]))

test('an unused text is reported', () => {
  const catalogue = ['a.one', 'a.two', 'b.one', 'c'].map((id) => `msgid "${id}"\nmsgstr "X"\n`).join('\n')
  const tree = treeOf({ 'client/a.ts': 't(`a.${n}`), t(`${b}.one`), t("c")' })
  expect(unusedTexts(tree, catalogue)).toEqual(['b.one'])
})

/** Returns the texts of the last column of the table in `docs/texts.md`. */
const textsOfTable = (page: string): string[] =>
  page
    .split('\n')
    .filter((line) => /^\| (?!Screen \|)/.test(line))
    .map((line) => line.split('|').at(-2)?.trim() ?? '')

/** Returns the texts that no message of the catalogue has. In a catalogue, an apostrophe is written twice. */
function textsOutsideOf(catalogue: string, texts: readonly string[]): string[] {
  const messages = new Set(
    Array.from(catalogue.matchAll(/^msgstr "(.*)"$/gm), ([, text = '']) => text.replaceAll("''", "'")),
  )
  return texts.filter((text) => !messages.has(text))
}

test('the table of texts shows the texts of the catalogue', () => {
  const page = readFileSync(path.join(folder, '../docs/texts.md'), 'utf8')
  const texts = textsOfTable(page)
  expect([texts.length > 50, textsOutsideOf(english, texts)]).toEqual([true, []])
})

test('a text of the table that is not in the catalogue is reported', () => {
  const page = "| Screen | Theirs | Ours |\n|---|---|---|\n| A | x | Can't |\n| | y | Other |\n"
  expect(textsOutsideOf(`msgid "a"\nmsgstr "Can''t"\n`, textsOfTable(page))).toEqual(['Other'])
})

test('the catalogue has one text for each id', () => {
  const ids = Array.from(english.matchAll(/^msgid "(.+)"$/gm), ([, id]) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  expect(english.match(/^msgstr/gm)?.length).toBe(english.match(/^msgid/gm)?.length)
})

test('no text calls a folder a directory', () => {
  const texts = Array.from(english.matchAll(/^msgstr "(.*)"$/gm), ([, text = '']) => text)
  expect(texts.filter((text) => /director(y|ies)/i.test(text))).toEqual([])
})
