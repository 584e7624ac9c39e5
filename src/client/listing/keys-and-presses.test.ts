import { describe, expect, test } from 'vitest'
import { rowAfterKey } from './focus-moves.ts'
import { geometryOf } from './geometry.ts'
import { gestureOf, type Press } from './gestures.ts'
import { foldName, nothingTyped, rowStartingWith, typedAfter } from './type-ahead.ts'

const list = geometryOf({ folders: 2, total: 30, columns: 1, lineHeight: 36, headingHeight: 0 })
const cards = geometryOf({ folders: 4, total: 9, columns: 3, lineHeight: 100, headingHeight: 40 })

describe('a key in the list leads', () => {
  const after = (key: string, from: number) =>
    rowAfterKey(list, { key, from, pageLines: 10, isRightToLeft: false })
  test.each([
    ['ArrowDown', 4, 5],
    ['ArrowDown', 29, 29],
    ['ArrowUp', 0, 0],
    ['ArrowUp', 4, 3],
    ['ArrowDown', -1, 0],
    ['Home', 20, 0],
    ['End', 3, 29],
    ['PageDown', 3, 12],
    ['PageDown', 27, 29],
    ['PageUp', 12, 3],
    ['PageUp', 2, 0],
    ['ArrowLeft', 3, null],
    ['a', 3, null],
  ])('%s from %i to %s', (key, from, expected) => expect(after(key, from)).toBe(expected))
  test('nowhere when there are no rows', () => {
    const none = geometryOf({ folders: 0, total: 0, columns: 1, lineHeight: 36, headingHeight: 0 })
    expect(rowAfterKey(none, { key: 'End', from: -1, pageLines: 10, isRightToLeft: false })).toBeNull()
  })
})

describe('a key among cards leads', () => {
  const after = (key: string, from: number, isRightToLeft = false) =>
    rowAfterKey(cards, { key, from, pageLines: 3, isRightToLeft })
  test.each([
    ['ArrowRight', 2, 3],
    ['ArrowLeft', 4, 3],
    ['ArrowRight', 8, 8],
    ['ArrowDown', 0, 3],
    ['ArrowDown', 3, 4],
    ['ArrowUp', 4, 3],
    ['ArrowDown', 6, 8],
  ])('%s from %i to %i', (key, from, expected) => expect(after(key, from)).toBe(expected))
  test('to the other side where one reads from right to left', () => {
    expect([after('ArrowRight', 5, true), after('ArrowLeft', 5, true)]).toEqual([4, 6])
  })
})

describe('a press', () => {
  const plain: Press = { isTouch: false, isCtrl: false, isShift: false, isOnCheckbox: false, isSecond: false }
  const usual = { isMultiple: false, opensAtOnce: false }
  test.each([
    ['chooses', {}, usual, 'only'],
    ['the second time opens', { isSecond: true }, usual, 'open'],
    ['opens where single clicks do', {}, { ...usual, opensAtOnce: true }, 'open'],
    ['with ctrl toggles all the same', { isCtrl: true }, { ...usual, opensAtOnce: true }, 'toggle'],
    ['with shift reaches', { isShift: true }, usual, 'range'],
    ['with both reaches further', { isShift: true, isCtrl: true }, usual, 'range-more'],
    ['on the check box toggles', { isOnCheckbox: true }, usual, 'toggle'],
    ['of a finger opens', { isTouch: true }, usual, 'open'],
    ['toggles in multiple mode', {}, { ...usual, isMultiple: true }, 'toggle'],
    ['of a finger toggles in multiple mode', { isTouch: true }, { ...usual, isMultiple: true }, 'toggle'],
    [
      'twice opens in multiple mode',
      { isTouch: true, isSecond: true },
      { ...usual, isMultiple: true },
      'open',
    ],
  ] as const)('%s', (_case, press, mode, expected) => {
    expect(gestureOf({ ...plain, ...press }, mode)).toBe(expected)
  })
})

describe('typing a name', () => {
  const names = ['Docs', 'éclair.txt', 'report.txt', 'Results', 'scan.pdf']
  const find = (text: string, from: number) =>
    rowStartingWith({ text, from, count: names.length, nameAt: (index) => names[index] ?? '' })
  test.each([
    ['rep', -1, 2],
    ['re', 2, 2],
    ['res', 2, 3],
    ['r', 2, 3],
    ['r', 3, 2],
    ['rr', 2, 3],
    ['d', 4, 0],
    ['ec', 0, 1],
    ['x', 0, -1],
    ['', 0, -1],
  ])('%s from row %i leads to %i', (text, from, expected) => expect(find(text, from)).toBe(expected))
  test('letters belong together for 800 ms; Backspace takes one away', () => {
    const r = typedAfter(nothingTyped, 'r', 5000)
    const re = typedAfter(r, 'e', 5700)
    expect([re.text, typedAfter(re, 'Backspace', 5800).text, typedAfter(re, 's', 6600).text]).toEqual([
      're',
      'r',
      's',
    ])
  })
  test('case and accents do not count', () => expect(foldName('Ÿ É ñ')).toBe('y e n'))
})
