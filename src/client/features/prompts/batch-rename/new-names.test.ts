import { describe, expect, test } from 'vitest'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { checkName } from '../name-check.ts'
import { nameMakerOf, type RenameRule } from './new-names.ts'
import { planNames } from './planned-names.ts'
import { firstPattern, firstReplacement } from './rule-fields.tsx'

const entry = (name: string, isFolder = false): ListedEntry => ({
  name,
  isFolder,
  isLink: false,
  isBroken: false,
  sizeBytes: 1,
  modifiedMs: new Date(2026, 1, 3, 12).getTime(),
  type: 'text',
})
const made = (rule: RenameRule, ...entries: ListedEntry[]) => {
  const make = nameMakerOf(rule)
  return make && entries.map((one, index) => make(one, index))
}
const replacing = (find: string, replacement: string, more: Partial<typeof firstReplacement> = {}) => ({
  ...firstReplacement,
  find,
  replacement,
  ...more,
})

const pattern = (text: string) => ({ ...firstPattern, pattern: text, start: 9, digits: 2 })

describe('find and replace', () => {
  test('a text is replaced everywhere in the name but not in the extension of a file', () => {
    expect(made(replacing('t', 'T'), entry('text.txt'), entry('v1.txt', true))).toEqual([
      'TexT.txt',
      'v1.TxT',
    ])
    expect(made(replacing('t', 'T', { includesExtension: true }), entry('a.txt'))).toEqual(['a.TxT'])
  })

  test('a text with the characters of expressions and replacements is taken literally', () => {
    expect(made(replacing('a.c-[1]', '$&$1'), entry('a.c-[1] abc-1.txt'))).toEqual(['$&$1 abc-1.txt'])
  })

  test('an expression has groups, and an invalid one makes no names', () => {
    const expression = { isExpression: true, ignoresCase: true }
    expect(made(replacing('(\\d+)-IMG', 'Photo $1', expression), entry('12-img.jpg'))).toEqual([
      'Photo 12.jpg',
    ])
    expect(made(replacing('.', '-', expression), entry('🙂.jpg'))).toEqual(['-.jpg'])
    expect(made(replacing('(', '', expression), entry('a'))).toBeNull()
  })
})

test('a pattern has the old name, numbers, the day and the extension, and keeps what it does not know', () => {
  expect(made(pattern('{name}-{n}'), entry('a.b.txt'), entry('c.d', true))).toEqual(['a.b-09.txt', 'c.d-10'])
  expect(made(pattern('{date} {n}.{ext} {x}'), entry('a.txt'))).toEqual(['2026-02-03 09.txt {x}'])
})

test('names that are taken, twice, empty or not possible are refused, and names that become free are not', () => {
  const present = ['1', '2', '3', 'other']
  const faults = (names: readonly string[]) =>
    planNames(
      ['1', '2', '3'].map((name) => entry(name)),
      { make: (_, index) => names[index] ?? '', check: checkName, isTaken: (name) => present.includes(name) },
    ).map(({ error }) => error !== null)
  expect(faults(['2', '3', '1'])).toEqual([false, false, false])
  expect(faults(['1', ' 2 ', '3'])).toEqual([false, false, false])
  expect(faults(['other', 'a', 'a'])).toEqual([true, true, true])
  expect(faults(['a/b', '..', ' '])).toEqual([true, true, true])
  expect(faults(['2', '2', 'x'.repeat(256)])).toEqual([true, true, true])
})
