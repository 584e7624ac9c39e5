import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readCatalogue } from '../../scripts/texts/catalogue.ts'
import { numberTexts } from '../../scripts/texts/text-numbers.ts'
import { routes } from '../../src/shared/contract/routes.ts'
import { shownErrorTexts, titleCaseTexts, unusedTexts, wordsInMarkup } from './rules/texts.ts'
import { readTree, treeOf } from './source-tree.ts'

const folder = path.resolve(import.meta.dirname, '../../src')
const src = readTree(folder)
const english = readCatalogue('en')
const ids = new Set(english.map(({ id }) => id))

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

test('no text on screen is the message of an error', () => expect(shownErrorTexts(src)).toEqual([]))

test('messages of errors are reported, but codes of errors and messages of other things are not', () => {
  const tree = treeOf({
    'client/a.tsx': `export const a = (error) => <p>{error.message}</p>`,
    'client/b.ts': `export const b = (state, thrown) => [state.error.message, String(thrown)]`,
    'client/c.ts': `export const c = (error, note) => [error.code, note.message, String(note)]`,
    'server/d.ts': `export const d = (error) => error.message`,
  })
  expect(shownErrorTexts(tree)).toEqual([
    'client/a.tsx:1 makes a text of an error',
    'client/b.ts:1 makes a text of an error',
    'client/b.ts:1 makes a text of an error',
  ])
})

test('every text of the catalogue is used', () => expect(unusedTexts(src, ids)).toEqual([]))

test('an unused text is reported', () => {
  const tree = treeOf({ 'client/a.ts': 't(`a.${n}`), t(`${b}.one`), t("c")' })
  expect(unusedTexts(tree, new Set(['a.one', 'a.two', 'b.one', 'c']))).toEqual(['b.one'])
})

/** Returns the texts of the last column of the table in `docs/texts.md`. */
const textsOfTable = (page: string): string[] =>
  page
    .split('\n')
    .filter((line) => /^\| (?!Screen \|)/.test(line))
    .map((line) => line.split('|').at(-2)?.trim() ?? '')

/** Returns the texts that no message of the catalogue has. In a catalogue, an apostrophe is written twice. */
function textsOutsideOf(messages: readonly string[], texts: readonly string[]): string[] {
  const known = new Set(messages.map((message) => message.replaceAll("''", "'")))
  return texts.filter((text) => !known.has(text))
}

const englishTexts = english.map((message) => message.english)

test('the table of texts shows the texts of the catalogue', () => {
  const page = readFileSync(path.join(folder, '../docs/texts.md'), 'utf8')
  const texts = textsOfTable(page)
  expect([texts.length > 50, textsOutsideOf(englishTexts, texts)]).toEqual([true, []])
})

test('a text of the table that is not in the catalogue is reported', () => {
  const page = "| Screen | Theirs | Ours |\n|---|---|---|\n| A | x | Can't |\n| | y | Other |\n"
  expect(textsOutsideOf(["Can''t"], textsOfTable(page))).toEqual(['Other'])
})

test('the texts of a row are there when its first tooltip is shown', () => {
  const { first } = numberTexts().idsOf
  expect(
    ['prompt.info.bytes', 'kind.unreachable', 'listing.rowMenu'].filter((id) => !first.includes(id)),
  ).toEqual([])
})

test('the catalogue has one message for each id', () => {
  expect(english.map(({ id }) => id).filter((id, at, all) => all.indexOf(id) !== at)).toEqual([])
})

test('no text calls a folder a directory', () => {
  expect(englishTexts.filter((text) => /director(y|ies)/i.test(text))).toEqual([])
})

/** Texts of the requirements (ux 1.2), by which people and programs that know File Browser find what they look for. */
const quotedTexts = new Set([
  'Password Confirmation',
  'Share Duration',
  'Time Unit',
  'Display Name:',
  'Last Modified',
  'Download File',
  'Download Selected',
  'Profile Settings',
  'Share Management',
  'Global Settings',
  'User Management',
  'Change Password',
  'New User',
  ...['Copy', 'Delete', 'Rename', 'Save', 'Upload'].flatMap((event) => [`Before ${event}`, `After ${event}`]),
])

test('texts are written in sentence case, except those that the requirements quote', () => {
  expect(titleCaseTexts(englishTexts, quotedTexts)).toEqual([])
  expect([...quotedTexts].filter((text) => !englishTexts.includes(text))).toEqual([])
})

test('a text in title case is reported, but no name, no key, no further sentence and no quoted text', () => {
  const texts = [
    'Copy Link',
    '{count, plural, one {# Link copied} other {# links copied}}',
    'Moved from File Browser',
    'Press Enter. Then wait',
    'PDF document',
    'Share Duration',
    'Theme: {name}',
  ]
  expect(titleCaseTexts(texts, quotedTexts)).toEqual([texts[0], texts[1]])
})

test('no message has the name of a call, which the build would replace by the number of the message', () => {
  expect([...ids].filter((id) => id in routes)).toEqual([])
})
