import { expect, onTestFinished, test } from 'vitest'
import { compileMessage, readCatalogue } from '../../../scripts/texts/catalogue.ts'
import { chooseLocale } from './choose-locale.ts'
import { formatDate, formatRelative, formatSize } from './format.ts'
import { formatCount, formatTag, locale } from './locale.ts'
import { formatPercent, parseCount, parseDecimal } from './later-formats.ts'
import { pseudoMessages } from './pseudo.ts'
import { piecesOf } from './render-message.ts'
import type { Texts } from './translate.ts'

const catalogues = ['en', 'pt', 'pt-br', 'zh-cn', 'zh-tw', 'nl-be', 'sv-se', 'tr', 'ar']

// Journey: languages-1
test.each([
  [['pt-BR', 'en'], 'pt-br'],
  [['pt-PT'], 'pt'],
  [['zh-Hant-HK'], 'zh-tw'],
  [['zh'], 'zh-cn'],
  [['nl'], 'nl-be'],
  [['sv-FI'], 'sv-se'],
  [['tr-TR'], 'tr'],
  [['xx', 'ar-EG'], 'ar'],
  [['xx'], 'en'],
  [['da', 'nb'], 'en'],
  [[], 'en'],
])('a browser that wants %j gets %s', (wanted, tag) => {
  expect(chooseLocale(wanted, catalogues)).toBe(tag)
})

test.each([
  ['1201', 1201],
  [' 1,201 ', 1201],
  ['1.201', 1201],
  ['1 201', 1201],
  ['1\u202f201', 1201],
  ['1,20,100', 120_100],
  ['١٢٠١', 1201],
  ['\u200f١٬٢٠١', 1201],
  ['۱۲۰۱', 1201],
  ['１２０１', 1201],
  ['1.5', null],
  ['1 5', null],
  ['1,201.300', null],
  ['', null],
  ['-5', null],
  ['12 items', null],
])('the number %j is read as %j', (text, count) => {
  expect(parseCount(text)).toBe(count)
})

test.each([
  ['en', '1.5', 1.5],
  ['en', '1,5', 1.5],
  ['en', '1,500', 1500],
  ['en', '1.500', 1.5],
  ['en', '1,500.25', 1500.25],
  ['en', '1,5,0', null],
  ['de', '1,5', 1.5],
  ['de', '1.5', 1.5],
  ['de', '1.500', 1500],
  ['de', '1,500', 1.5],
  ['de', '1.500,25', 1500.25],
  ['fr', '1\u202f500,25', 1500.25],
  ['ar', '١٫٥', 1.5],
  ['ar', '١،٥', 1.5],
  ['ar', '١٬٥٠٠٫٢٥', 1500.25],
  ['fa', '۱٫۵', 1.5],
  ['en', '', null],
  ['en', '-1', null],
  ['en', '5.', null],
  ['en', '1e3', null],
])('in %s, the number %j is read as %j', (tag, text, value) => {
  locale.set(tag)
  onTestFinished(() => locale.set('en'))
  expect(parseDecimal(text)).toBe(value)
})

test('Arabic sizes have the same short unit in all steps', () => {
  locale.set('ar')
  onTestFinished(() => locale.set('en'))
  expect([2048, 2048 * 1024].map(formatSize)).toEqual(['2\u00A0ك.ب', '2\u00A0م.ب'])
})

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [1023, '1,023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [240_000, '234 KB'],
  [3_397_386, '3.24 MB'],
  [5 * 1024 ** 3, '5 GB'],
  [2 ** 60, '1,024 PB'],
])('%i bytes are %s', (sizeBytes, text) => {
  expect(formatSize(sizeBytes)).toBe(text.replace(' ', '\u00A0'))
})

const nowMs = Date.UTC(2026, 10, 20, 12)
const hourMs = 3_600_000

test.each([
  [nowMs - 5000, 'now'],
  [nowMs - 59_000, 'now'],
  [nowMs - 60_000, '1 minute ago'],
  [nowMs - 3 * hourMs, '3 hours ago'],
  [nowMs - 24 * hourMs, 'yesterday'],
  [nowMs - 3 * 24 * hourMs, '3 days ago'],
  [nowMs - 40 * 24 * hourMs, 'last month'],
  [nowMs - 800 * 24 * hourMs, '2 years ago'],
  [nowMs + 2 * hourMs, 'in 2 hours'],
])('%i is %s', (timeMs, text) => {
  expect(formatRelative(timeMs, nowMs)).toBe(text)
})

test('counts are grouped, parts rounded up, dates short', () => {
  expect([formatCount(1204), formatPercent(0.411), formatPercent(0)]).toEqual(['1,204', '42%', '0%'])
  expect(formatDate(new Date(2026, 10, 20, 19, 26).getTime())).toMatch(/^11\/20\/26, 7:26\sPM$/)
})

const english: Texts = {
  hello: compileMessage('Hello {name}'),
  items: compileMessage('{count, plural, one {# item} other {# items}}'),
}

const say = (messages: Texts, id: string, values: Record<string, string | number>) =>
  piecesOf(messages[id] ?? '', values, (count) => (count === 1 ? 'one' : 'other'))
    .map((piece) => (typeof piece === 'string' ? piece : piece.value))
    .join('')

test('the long pseudo-language is longer by two fifths and keeps names and plurals', () => {
  const messages = pseudoMessages('en-XA', english)
  expect(say(messages, 'hello', { name: 'abc' })).toBe('Ĥéļļö ~~abc')
  expect(say(messages, 'items', { count: 1 })).toBe('1 îţém~~')
  expect(say(messages, 'items', { count: 2 })).toBe('2 îţémš~~')
})

test('the mirrored pseudo-language wraps its words, not the names', () => {
  expect(say(pseudoMessages('ar-XB', english), 'hello', { name: 'abc' })).toBe('\u202EHello \u202Cabc')
})

test.each([
  ['{count, plural, =1 {One file} one {# file} other {# files}}', { count: 1 }, 'One file'],
  ['{count, plural, =1 {One file} one {# file} other {# files}}', { count: 5 }, '5 files'],
  ['{kind, select, image {No image} other {Nothing of {type}}}', { kind: 'image', type: 'x' }, 'No image'],
  ['{kind, select, image {No image} other {Nothing of {type}}}', { kind: 'b', type: 'x' }, 'Nothing of x'],
  ["It''s {name}", { name: 'here' }, "It's here"],
])('the message %j with %j is %j', (message, values, text) => {
  expect(say({ a: compileMessage(message) }, 'a', values as Record<string, string | number>)).toBe(text)
})

// Journey: languages-4
test.each([
  ['en', ['0 items', '1 item', '2 items', '5 items', '21 items']],
  ['ar', ['لا عناصر', 'عنصر واحد', 'عنصران', '5 عناصر', '21 عنصرًا']],
  ['ja', ['0 個の項目', '1 個の項目', '2 個の項目', '5 個の項目', '21 個の項目']],
  ['pl', ['0 elementów', '1 element', '2 elementy', '5 elementów', '21 elementów']],
  ['ro', ['0 elemente', '1 element', '2 elemente', '5 elemente', '21 de elemente']],
  ['ru', ['0 элементов', '1 элемент', '2 элемента', '5 элементов', '21 элемент']],
  ['sk', ['0 položiek', '1 položka', '2 položky', '5 položiek', '21 položiek']],
])('in the language %s, 0, 1, 2, 5 and 21 items are %j', (tag, expected) => {
  const { translation, english: source } = readCatalogue(tag).find(({ id }) => id === 'listing.items')!
  const message = compileMessage(translation || source)
  const rules = new Intl.PluralRules(tag)
  const texts = [0, 1, 2, 5, 21].map((count) =>
    piecesOf(message, { count }, (number) => rules.select(number))
      .map((piece) => (typeof piece === 'string' ? piece : piece.value))
      .join(''),
  )
  expect(texts).toEqual(expected)
})

test.each([
  ['{date, date}', 'cannot contain'],
  ['{count, plural, one {#}', 'syntax error'],
])('the message %j is refused', (message, fault) => {
  expect(() => compileMessage(message)).toThrow(fault)
})

test.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['de-DE', 'en-AU'], 'en-AU'],
  ['pt-br', ['pt-PT', 'pt-BR'], 'pt-br'],
  ['de', ['en-US'], 'de'],
  ['en-XA', ['en-GB'], 'en-GB'],
])('the language %s in a browser that wants %j has the formats of %s', (tag, wanted, expected) => {
  expect(formatTag(tag, wanted)).toBe(expected)
})
