import { describe, expect, test } from 'vitest'
import { rowAfterKey } from './row-after-key.ts'
import { geometryOf } from '../sections/place-sections.ts'
import { gestureOf, type RowPress } from '../grid/gestures.ts'
import { foldName } from '../../../shared/domain/fold-name.ts'
import { noTypedPrefix, rowStartingWith, prefixAfterKey } from './type-ahead.ts'

const list = geometryOf({ folders: 2, total: 30, columns: 1, lineHeight: 36, headingHeight: 0 })
const cards = geometryOf({ folders: 4, total: 9, columns: 3, lineHeight: 100, headingHeight: 40 })

const inList = (key: string, from: number) =>
  rowAfterKey(list, { key, from, pageLines: 10, isRightToLeft: false })
const amongCards = (key: string, from: number, isRightToLeft = false) =>
  rowAfterKey(cards, { key, from, pageLines: 3, isRightToLeft })

describe('a navigation key in the list leads', () => {
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
  ])('%s from %i to %s', (key, from, expected) => expect(inList(key, from)).toBe(expected))
  test('nowhere when the folder is empty', () => {
    const none = geometryOf({ folders: 0, total: 0, columns: 1, lineHeight: 36, headingHeight: 0 })
    expect(rowAfterKey(none, { key: 'End', from: -1, pageLines: 10, isRightToLeft: false })).toBeNull()
  })
})

describe('a navigation key in the mosaic leads', () => {
  test.each([
    ['ArrowRight', 2, 3],
    ['ArrowLeft', 4, 3],
    ['ArrowRight', 8, 8],
    ['ArrowDown', 0, 3],
    ['ArrowDown', 3, 4],
    ['ArrowUp', 4, 3],
    ['ArrowDown', 6, 8],
  ])('%s from %i to %i', (key, from, expected) => expect(amongCards(key, from)).toBe(expected))
  test('in the opposite direction in right-to-left scripts', () => {
    expect([amongCards('ArrowRight', 5, true), amongCards('ArrowLeft', 5, true)]).toEqual([4, 6])
  })
})

describe('a press', () => {
  const plain: RowPress = {
    isTouch: false,
    isCtrl: false,
    isShift: false,
    isOnCheckbox: false,
    isOnOpeningName: false,
    isSecond: false,
  }
  const usual = { isMultiple: false, opensOnSingleClick: false, canSelect: true }
  const readOnly = { ...usual, canSelect: false }
  test.each([
    { it: 'chooses', press: {}, mode: usual, expected: 'only' },
    { it: 'the second time opens', press: { isSecond: true }, mode: usual, expected: 'open' },
    {
      it: 'opens where single clicks do',
      press: {},
      mode: { ...usual, opensOnSingleClick: true },
      expected: 'open',
    },
    {
      it: 'with ctrl toggles all the same',
      press: { isCtrl: true },
      mode: { ...usual, opensOnSingleClick: true },
      expected: 'toggle',
    },
    { it: 'with shift reaches', press: { isShift: true }, mode: usual, expected: 'range' },
    {
      it: 'with both reaches further',
      press: { isShift: true, isCtrl: true },
      mode: usual,
      expected: 'range-more',
    },
    { it: 'on the check box toggles', press: { isOnCheckbox: true }, mode: usual, expected: 'toggle' },
    { it: 'of a finger opens', press: { isTouch: true }, mode: usual, expected: 'open' },
    { it: 'toggles in multiple mode', press: {}, mode: { ...usual, isMultiple: true }, expected: 'toggle' },
    {
      it: 'of a finger toggles in multiple mode',
      press: { isTouch: true },
      mode: { ...usual, isMultiple: true },
      expected: 'toggle',
    },
    {
      it: 'on a name that opens its entry opens',
      press: { isOnOpeningName: true },
      mode: usual,
      expected: 'open',
    },
    {
      it: 'on a name that opens its entry toggles in multiple mode',
      press: { isOnOpeningName: true },
      mode: { ...usual, isMultiple: true },
      expected: 'toggle',
    },
    {
      it: 'with ctrl toggles a name that opens its entry',
      press: { isOnOpeningName: true, isCtrl: true },
      mode: usual,
      expected: 'toggle',
    },
    {
      it: 'with ctrl and shift moves the focus where rows can only be opened',
      press: { isCtrl: true, isShift: true },
      mode: readOnly,
      expected: 'only',
    },
    {
      it: 'of a finger opens where rows can only be opened',
      press: { isTouch: true },
      mode: readOnly,
      expected: 'open',
    },
    {
      it: 'twice opens where rows can only be opened',
      press: { isSecond: true },
      mode: readOnly,
      expected: 'open',
    },
    {
      it: 'twice opens in multiple mode',
      press: { isTouch: true, isSecond: true },
      mode: { ...usual, isMultiple: true },
      expected: 'open',
    },
  ] as const)('$it', ({ press, mode, expected }) => {
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
  test('letters typed within 800 ms form one prefix; Backspace removes the last', () => {
    const r = prefixAfterKey(noTypedPrefix, 'r', 5000)
    const re = prefixAfterKey(r, 'e', 5700)
    expect([re.text, prefixAfterKey(re, 'Backspace', 5800).text, prefixAfterKey(re, 's', 6600).text]).toEqual(
      ['re', 'r', 's'],
    )
  })
  test('case and accents are ignored', () => expect(foldName('Ÿ É ñ')).toBe('y e n'))
})
