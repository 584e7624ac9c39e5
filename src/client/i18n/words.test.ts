import { readFileSync } from 'node:fs'
import { setupI18n, type Messages } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'
import { chooseLocale } from './choose-locale.ts'
import { formatCount, formatDate, formatRelative, formatSize } from './format.ts'
import { formatPercent, parseCount } from './later-formats.ts'
import { pseudoMessages } from './pseudo.ts'

const catalogues = ['en', 'pt', 'pt-br', 'zh-cn', 'zh-tw', 'nl-be', 'sv-se', 'tr', 'ar']

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
  ['', null],
  ['-5', null],
  ['12 items', null],
])('the number %j is read as %j', (text, count) => {
  expect(parseCount(text)).toBe(count)
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

const english = {
  hello: compileMessage('Hello {name}'),
  items: compileMessage('{count, plural, one {# item} other {# items}}'),
} as unknown as Messages

const say = (messages: Messages, id: string, values: Record<string, unknown>) =>
  setupI18n({ locale: 'en', messages: { en: messages } })._(id, values)

test('the long pseudo-language is longer by two fifths and keeps names and plurals', () => {
  const messages = pseudoMessages('en-XA', english)
  expect(say(messages, 'hello', { name: 'abc' })).toBe('Ĥéļļö ~~abc')
  expect(say(messages, 'items', { count: 1 })).toBe('1 îţém~~')
  expect(say(messages, 'items', { count: 2 })).toBe('2 îţémš~~')
})

test('the mirrored pseudo-language wraps its words, not the names', () => {
  expect(say(pseudoMessages('ar-XB', english), 'hello', { name: 'abc' })).toBe('\u202EHello \u202Cabc')
})

test('every English message compiles and shows for every count', () => {
  const po = readFileSync(new URL('locales/en.po', import.meta.url), 'utf8')
  const texts = [...po.matchAll(/^msgstr "(.+)"$/gm)].map(
    ([, text = '']) => JSON.parse(`"${text}"`) as string,
  )
  expect(texts.length).toBeGreaterThan(80)
  const numbers = ['count', 'seconds', 'total', 'of', 'done', 'failed', 'left']
  for (const text of texts.filter((it) => /, (plural|selectordinal)/.test(it))) {
    const messages = { it: compileMessage(text) } as unknown as Messages
    for (const n of [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000]) {
      const values = Object.fromEntries(numbers.map((name) => [name, n]))
      expect(say(messages, 'it', values)).not.toMatch(/undefined|[{}#]/)
    }
  }
})
