import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rowsInBox } from '../band/rows-in-box.ts'
import { rowByLines } from '../keys/row-by-lines.ts'
import { columnOf, lineHeightOf, rowsBetween, topOf } from './geometry.ts'
import { geometryOf } from '../sections/place-sections.ts'

const facts = fc
  .record({
    folders: fc.nat(60),
    files: fc.nat(200),
    columns: fc.integer({ min: 1, max: 7 }),
    lineHeight: fc.integer({ min: 20, max: 120 }),
    folderLineHeight: fc.integer({ min: 20, max: 120 }),
    hasHeadings: fc.boolean(),
  })
  .map(({ folders, files, columns, lineHeight, folderLineHeight, hasHeadings }) =>
    geometryOf({
      folders,
      total: folders + files,
      columns: hasHeadings ? columns : 1,
      lineHeight,
      folderLineHeight,
      headingHeight: hasHeadings ? 40 : 0,
    }),
  )
const totalOf = ({ total }: ReturnType<typeof geometryOf>) => total

describe('a list', () => {
  const list = geometryOf({ folders: 3, total: 10, columns: 1, lineHeight: 36, headingHeight: 0 })
  test('has one row a line, without headings', () => {
    expect([list.height, topOf(list, 0), topOf(list, 3), topOf(list, 9)]).toEqual([360, 0, 108, 324])
    expect(list.sections.map(({ headingTop }) => headingTop)).toEqual([null, null])
  })
  test('the rows of a window are those that overlap it', () => {
    expect(rowsBetween(list, 35, 73)).toEqual({ first: 0, end: 3 })
    expect(rowsBetween(list, 100, 120)).toEqual({ first: 2, end: 4 })
    expect(rowsBetween(list, -50, 5000)).toEqual({ first: 0, end: 10 })
    expect(rowsBetween(list, 400, 500)).toEqual({ first: 0, end: 0 })
  })
})

describe('the mosaic', () => {
  const cards = geometryOf({ folders: 4, total: 9, columns: 3, lineHeight: 100, headingHeight: 40 })
  test('gives folders and files a heading each, and lines of their own', () => {
    expect([cards.sections[0].headingTop, topOf(cards, 0), topOf(cards, 3)]).toEqual([0, 40, 140])
    expect([cards.sections[1]?.headingTop, topOf(cards, 4), topOf(cards, 7), cards.height]).toEqual([
      240, 280, 380, 480,
    ])
    expect([3, 4, 5, 8].map((index) => columnOf(cards, index))).toEqual([0, 0, 1, 1])
  })
  test.each([
    ['folders', 4],
    ['files', 0],
  ])('has no heading above %s alone, but room', (_, folders) => {
    const alone = geometryOf({
      folders,
      total: 4,
      columns: 3,
      lineHeight: 100,
      headingHeight: 40,
      topPadding: 16,
    })
    expect(alone.sections.map(({ headingTop }) => headingTop)).toEqual([null])
    expect([topOf(alone, 0), topOf(alone, 3), alone.height]).toEqual([16, 116, 216])
  })
  test('moving up and down keeps the column, or takes the nearest card', () => {
    expect([
      rowByLines(cards, 1, 1),
      rowByLines(cards, 3, 1),
      rowByLines(cards, 6, 1),
      rowByLines(cards, 8, -2),
    ]).toEqual([3, 4, 8, 3])
  })
  test('the cards in a rectangle are those that overlap it', () => {
    const card = { width: 100, minWidth: 100, gap: 10, start: 16, textHeight: 0 }
    expect(rowsInBox(cards, card, { top: 60, bottom: 300, start: 130, end: 240 })).toEqual([1, 2, 5, 6])
    expect(rowsInBox(cards, null, { top: 60, bottom: 100, start: 130, end: 140 })).toEqual([0, 1, 2])
  })
})

test('the rows of a window are exactly those whose line overlaps it', () => {
  fc.assert(
    fc.property(
      facts,
      fc.integer({ min: -100, max: 5000 }),
      fc.integer({ min: 1, max: 900 }),
      (geometry, top, height) => {
        const { first, end } = rowsBetween(geometry, top, top + height)
        for (let index = 0; index < totalOf(geometry); index += 1) {
          const rowTop = topOf(geometry, index)
          const touches = rowTop < top + height && rowTop + lineHeightOf(geometry, index) > top
          expect([index, index >= first && index < end]).toEqual([index, touches])
        }
      },
    ),
  )
})

test('no two rows have the same position, and none is below the end', () => {
  fc.assert(
    fc.property(facts, (geometry) => {
      const places = Array.from(
        { length: totalOf(geometry) },
        (_, at) => `${topOf(geometry, at)} ${columnOf(geometry, at)}`,
      )
      expect(new Set(places).size).toBe(places.length)
      const bottoms = Array.from(
        { length: totalOf(geometry) },
        (_, at) => topOf(geometry, at) + lineHeightOf(geometry, at),
      )
      expect(Math.max(0, ...bottoms)).toBe(totalOf(geometry) === 0 ? 0 : geometry.height)
    }),
  )
})
