import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseCatalogue, readCatalogue } from '../../scripts/texts/catalogue.ts'
import { languageTags } from '../../src/client/i18n/language-list.ts'
import { catalogueFaults, englishTexts, pluralFaults } from './rules/catalogues.ts'
import { commentFaults } from './rules/translator-comments.ts'
import { sameEverywhere, sameWords } from './same-words.ts'

const folder = path.resolve(import.meta.dirname, '../../src/client/i18n/locales')
const english = readCatalogue('en')
const translated = languageTags.filter((tag) => tag !== 'en')

test('every catalogue can be chosen, and every language has a catalogue', () => {
  const files = readdirSync(folder).map((file) => file.replace('.po', ''))
  expect(files.sort()).toEqual([...languageTags].sort())
})

test('no English plural has a branch one for exactly one', () => {
  const faults = english.flatMap((message) =>
    pluralFaults('en', message.english).map((fault) => `${message.id} ${fault}`),
  )
  expect(faults.filter((fault) => fault.endsWith('#'))).toEqual([])
})

test('every English message stands in a section, and comments explain its values', () =>
  expect(commentFaults(english)).toEqual([]))

describe.each(translated)('the catalogue %s', (tag) => {
  const messages = readCatalogue(tag)
  test('has each message with its placeholders and all plural categories, and renders for every number', () => {
    expect(catalogueFaults(tag, messages, english)).toEqual([])
  })
  test('has no English text but words that are the same in the language', () => {
    expect(englishTexts(messages, sameEverywhere, sameWords[tag] ?? [])).toEqual([])
  })
})

/** Returns a catalogue with the given messages: id, English text and translation. */
const catalogueOf = (...rows: readonly (readonly [id: string, english: string, translation: string])[]) =>
  parseCatalogue(
    `msgid ""\nmsgstr ""\n\n${rows
      .map(([id, source, text]) => `msgctxt "${id}"\nmsgid "${source}"\nmsgstr "${text}"\n`)
      .join('\n')}`,
  )

test('faults of a catalogue are reported', () => {
  const source = catalogueOf(
    ['a', 'Open', ''],
    ['b', '{count, plural, one {# file} other {# files}}', ''],
    ['c', 'Hello {name}', ''],
    ['d', 'Close', ''],
    ['e', 'Save', ''],
  )
  const russian = catalogueOf(
    ['a', 'Open', ''],
    [
      'b',
      '{count, plural, one {Один файл} few {# файла} other {# файла}}',
      '{count, plural, one {Файл} few {# файла} other {# файла}}',
    ],
    ['c', 'Hello {name}', 'Привет, {user}'],
    ['e', 'Store', 'Сохранить'],
    ['f', 'Old', 'Старый'],
  )
  expect(catalogueFaults('ru', russian, source)).toEqual([
    'f is not an English message',
    'a is not translated',
    'b translates another English text',
    'c lacks {name} as a value',
    'c has {user}, which is not English',
    'd is missing',
    'e translates another English text',
  ])
  expect(pluralFaults('ru', '{count, plural, one {Файл} few {# файла} other {# файла}}')).toEqual([
    'lacks the plural category many',
    'has a branch one without #',
  ])
})

test('a text that was left in English is reported, but not a name of a format', () => {
  const messages = catalogueOf(
    ['a', 'Open', 'Open'],
    ['b', 'PDF', 'PDF'],
    ['c', 'System', 'System'],
    ['d', 'B', 'B'],
  )
  expect(englishTexts(messages, ['PDF'], ['System'])).toEqual(['a is the English “Open”'])
})

/** Returns an English message of a catalogue. */
const message = (id: string, text: string): string => `msgctxt "${id}"\nmsgid "${text}"\nmsgstr ""\n`

test('a message without a section and a value without a comment are reported', () => {
  const messages = parseCatalogue(
    [
      'msgid ""\nmsgstr ""\n',
      message('a', 'Open'),
      '# ---- Prompt: rename\n',
      `#. {name} is the name of the file.\n${message('b', 'Rename {name}')}`,
      `# {name} is in a comment of a translator.\n${message('c', 'Rename {name}')}`,
      `#. {count} is the number of files.\n${message('d', '{count, plural, =1 {{name} renamed} other {# renamed}}')}`,
      `#. {to} is the new name.\n${message('e', 'Renamed')}`,
    ].join('\n'),
  )
  expect(messages.map(({ section }) => section)).toEqual([null, ...Array(4).fill('Prompt: rename')])
  expect(commentFaults(messages)).toEqual([
    'a stands in no section',
    'c has no comment about {name}',
    'd has no comment about {name}',
    'e has a comment about {to}, which is not a value',
  ])
})
