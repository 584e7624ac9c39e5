import * as fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { rowOrderOf } from '../../../shared/domain/sorting.ts'
import { rowsInBox } from '../band/rows-in-box.ts'
import { type GridGeometry, lineHeightOf, rowsBetween, topOf } from '../grid/geometry.ts'
import { rowAfterKey } from '../keys/row-after-key.ts'
import { appendRows } from '../rows/column-writes.ts'
import { createColumns, publishSummary } from '../rows/columns.ts'
import { currentRows, type FolderRows } from '../rows/folder-rows.ts'
import { geometryOf } from '../sections/place-sections.ts'
import { maxTiles, type CardMetrics } from './tile-layout.ts'
import { createTileLayout, type KeptTiles } from './tile-rows.ts'

beforeAll(() => void vi.stubGlobal('devicePixelRatio', 1))

/** Six equal tiles of 200 px with gaps of 6 px in a line, 16 px from its start. */
const card: CardMetrics = { width: 200, minWidth: 200, gap: 6, start: 16, textHeight: 0 }
const columns = 6
const room = columns * 206 - 6

type Gallery = {
  readonly folders?: number
  /** The width of each picture as a multiple of its height. Null for a text. */
  readonly ratios: readonly (number | null)[]
  /** The index of the first picture of each month, counted from the first picture. */
  readonly months?: readonly number[]
}

function galleryOf({ folders = 0, ratios, months = [] }: Gallery) {
  const listed = createColumns(rowOrderOf({ by: 'name', asc: true }))
  appendRows(listed, [
    ...Array.from({ length: folders }, (_, at): [string, number, number, string, number] => [
      `f${at}`,
      0,
      0,
      '',
      1,
    ]),
    ...ratios.map((ratio, at): [string, number, number, string, number] =>
      ratio === null ? [`${at}.txt`, 1, 1, 'text', 0] : [`${at}.jpg`, 1, 1, 'image', 0],
    ),
  ])
  publishSummary(listed)
  const even = geometryOf({
    folders,
    total: folders + ratios.length,
    columns,
    lineHeight: card.width + card.textHeight + card.gap,
    folderLineHeight: 50,
    headingHeight: 40,
    topPadding: 16,
    groups: months.map((first, at) => ({ first: folders + first, timeMs: at })),
  })
  const known = ratios.flatMap((ratio, at) => (ratio === null ? [] : [[`${at}.jpg`, ratio] as const]))
  return { rows: currentRows(listed), even, proportions: new Map(known) }
}

function layOut(gallery: Gallery): GridGeometry {
  const { rows, even, proportions } = galleryOf(gallery)
  return createTileLayout(proportions).layOut(even, rows, card)
}

const tilesOf = ({ tiles, total }: GridGeometry) =>
  Array.from({ length: total }, (_, index) => tiles?.tileAt(index)).flatMap((tile) => tile ?? [])

/** Returns the sizes of the previews of pictures. */
const previewsOf = (ratios: readonly number[]) => tilesOf(layOut({ ratios })).map(({ size }) => size)

/** Returns the tiles of each row. */
const linesOf = (geometry: GridGeometry) =>
  Map.groupBy(tilesOf(geometry), ({ top }) => top)
    .values()
    .toArray()

const ratio = fc.oneof(
  fc.constant(1),
  fc.constantFrom(1.5, 0.75, 1.78, 0.56),
  fc.double({ min: 0.01, max: 50, noNaN: true }),
)
const gallery = fc.record({
  folders: fc.nat(13),
  ratios: fc.array(fc.option(ratio), { minLength: 1, maxLength: 120 }),
})

describe('rows of tiles', () => {
  test('squares are placed as equal tiles are', () => {
    const squares: Gallery = { folders: 3, ratios: Array.from({ length: 20 }, () => 1), months: [0, 9] }
    const { even } = galleryOf(squares)
    const geometry = layOut(squares)
    expect(geometry.height).toBe(even.height)
    for (let index = 0; index < even.total; index += 1) {
      expect([topOf(geometry, index), lineHeightOf(geometry, index)]).toEqual([
        topOf(even, index),
        lineHeightOf(even, index),
      ])
    }
    expect(geometry.tiles?.tileAt(3)).toMatchObject({ start: 16, width: 200, height: 200 })
    expect(geometry.tiles?.tileAt(8)).toMatchObject({ start: 16 + 5 * 206, width: 200 })
  })

  test('three squares are in a row of a phone', () => {
    const { rows, proportions } = galleryOf({ ratios: [1, 1, 1, 1, 1, 1, 1] })
    const phone: CardMetrics = { width: (390 - 24 - 12) / 3, minWidth: 117, gap: 6, start: 12, textHeight: 0 }
    const even = geometryOf({ folders: 0, total: 7, columns: 3, lineHeight: 124, headingHeight: 40 })
    const lines = linesOf(createTileLayout(proportions).layOut(even, rows, phone))
    expect(lines.map((tiles) => tiles.length)).toEqual([3, 3, 1])
  })

  test('rows come close to the chosen size, also where equal tiles grow, and the last one is not higher than the one above', () => {
    const { rows, proportions } = galleryOf({ ratios: Array.from({ length: 8 }, () => 1) })
    const grown: CardMetrics = { width: 250, minWidth: 200, gap: 6, start: 16, textHeight: 0 }
    const even = geometryOf({ folders: 0, total: 8, columns: 4, lineHeight: 256, headingHeight: 40 })
    const lines = linesOf(createTileLayout(proportions).layOut(even, rows, grown))
    expect(lines.map((tiles) => [tiles.length, Math.round(tiles[0]?.height ?? 0)])).toEqual([
      [5, 199],
      [3, 199],
    ])
  })

  test('each full row fills the width, tiles have the proportions of their pictures, and the last row is not stretched', () => {
    fc.assert(
      fc.property(gallery, (facts) => {
        const geometry = layOut(facts)
        const lines = linesOf(geometry)
        for (const tiles of lines) expect(tiles[0]?.start).toBe(16)
        const endOf = (tiles: (typeof lines)[number]): number => {
          const last = tiles.at(-1)
          return (last?.start ?? 0) + (last?.width ?? 0)
        }
        for (const tiles of lines.slice(0, -1)) expect(endOf(tiles)).toBeCloseTo(16 + room, 1)
        for (const tiles of lines.slice(-1)) {
          expect(endOf(tiles)).toBeLessThan(16 + room + 0.5)
          expect(tiles[0]?.height).toBeLessThan(200.1)
        }
        const shown = tilesOf(geometry).map(({ width, height }) => width / height)
        const wanted = facts.ratios.map((wide) => Math.min(Math.max(wide ?? 1, 0.4), 3))
        for (const [at, value] of shown.entries()) expect(value).toBeCloseTo(wanted[at] ?? 0, 3)
      }),
    )
  })

  test('rows are close to the size of an equal tile', () => {
    fc.assert(
      fc.property(gallery, (facts) => {
        for (const [first] of linesOf(layOut(facts)).slice(0, -1)) {
          expect(first?.height).toBeGreaterThan(200 / 1.75)
          expect(first?.height).toBeLessThan(200 * 1.75)
        }
      }),
    )
  })

  test('tiles follow each other in the order of the rows, with the same distance, and none overlap', () => {
    fc.assert(
      fc.property(gallery, (facts) => {
        const tiles = tilesOf(layOut(facts))
        for (const [at, next] of tiles.slice(1).entries()) {
          const { top = 0, step = 0, start = 0, width = 0 } = tiles[at] ?? {}
          const isSameLine = next.top === top
          const distance = isSameLine ? next.start - start - width : next.top - top - step
          expect(distance).toBeCloseTo(isSameLine ? 6 : 0, 2)
        }
      }),
    )
  })

  test('each month begins a row below its heading', () => {
    const geometry = layOut({ ratios: Array.from({ length: 30 }, () => 1.5), months: [0, 7, 8] })
    for (const { first, headingTop, top } of geometry.sections) {
      expect(geometry.tiles?.tileAt(first)).toMatchObject({ start: 16, top })
      expect(top - (headingTop ?? 0)).toBe(40)
    }
    const [, second, third] = geometry.sections
    // The row before the end of a month is not stretched.
    expect(geometry.tiles?.tileAt(7)).toMatchObject({ height: 200, width: 300 })
    expect(third?.headingTop).toBe((second?.top ?? 0) + 206)
  })

  test('the rows of a window are exactly those whose line overlaps it', () => {
    fc.assert(
      fc.property(
        gallery,
        fc.integer({ min: -100, max: 5000 }),
        fc.integer({ min: 1, max: 900 }),
        (facts, top, height) => {
          const geometry = layOut(facts)
          const { first, end } = rowsBetween(geometry, top, top + height)
          for (let index = 0; index < geometry.total; index += 1) {
            const start = topOf(geometry, index)
            const touches = start < top + height && start + lineHeightOf(geometry, index) > top
            expect([index, index >= first && index < end]).toEqual([index, touches])
          }
        },
      ),
    )
  })

  test('a file that is no picture is a square, and a film is wide', () => {
    const listed = createColumns(rowOrderOf({ by: 'name', asc: true }))
    appendRows(listed, [
      ['a.txt', 1, 1, 'text', 0],
      ['b.mp4', 1, 1, 'video', 0],
      ['c.jpg', 1, 1, 'image', 0],
    ])
    publishSummary(listed)
    const even = geometryOf({ folders: 0, total: 3, columns, lineHeight: 206, headingHeight: 40 })
    const geometry = createTileLayout(new Map()).layOut(even, currentRows(listed), card)
    expect(tilesOf(geometry).map(({ width }) => Math.round(width))).toEqual([200, 356, 200])
  })

  test('a folder that is larger than the server lists keeps equal tiles', () => {
    const large: Gallery = { ratios: Array.from({ length: maxTiles + 1 }, () => 1.5) }
    expect(layOut(large).tiles).toBe(undefined)
    expect(layOut({ ratios: large.ratios.slice(1) }).tiles).not.toBe(undefined)
  })

  test('a picture that is larger than the small preview has a larger one', () => {
    expect(previewsOf([1, 1.5, 3, 3.5])).toEqual(['tile', 'tile', 'tile', 'tile'])
    vi.stubGlobal('devicePixelRatio', 2)
    expect(previewsOf([1, 1.5, 3, 3.5])).toEqual(['tile', 'tile', 'big', 'big'])
    vi.stubGlobal('devicePixelRatio', 1)
  })
})

describe('proportions that come later', () => {
  const facts: Gallery = {
    folders: 2,
    ratios: Array.from({ length: 90 }, (_, at) => (at % 3 === 0 ? 1.5 : 0.75)),
  }
  const { rows, even, proportions } = galleryOf(facts)
  const squares = createTileLayout(new Map()).layOut(even, rows, card)
  const keptFrom = (geometry: GridGeometry, end: number): KeptTiles => ({
    listing: rows.listing,
    summary: rows.summary,
    end,
    tiles: geometry.tiles ?? null,
  })

  test.each([
    ['tiles', squares],
    ['equal tiles', even],
  ])('leave %s where they are that may be seen, and place the others', (_, before) => {
    const layout = createTileLayout(proportions, keptFrom(before, 32))
    const after = layout.layOut(even, rows, card)
    // The last row before the end may take a tile more.
    expect(tilesOf(after).slice(0, 24)).toEqual(tilesOf(squares).slice(0, 24))
    expect(tilesOf(after).at(-1)?.width).not.toBe(tilesOf(squares).at(-1)?.width)
    expect(layout.layOut(even, rows, card)).toBe(after)
  })

  test('leave equal tiles where they are that have grown beyond the chosen size', () => {
    const grown: CardMetrics = { ...card, width: 250, minWidth: 200 }
    const four = geometryOf({ folders: 2, total: 92, columns: 4, lineHeight: 256, headingHeight: 40 })
    // Squares are placed when their code comes, and then once more with the proportions.
    const once = createTileLayout(new Map(), keptFrom(four, 22)).layOut(four, rows, grown)
    for (const before of [four, once]) {
      const after = createTileLayout(proportions, keptFrom(before, 22)).layOut(four, rows, grown)
      for (let index = 0; index < 18; index += 1) expect(topOf(after, index)).toBe(topOf(four, index))
      expect(after.tiles?.tileAt(3)).toMatchObject({ width: 250, height: 250 })
    }
  })

  test('place all tiles when the rows or the size of the tiles change', () => {
    const large = { ...card, width: 302, minWidth: 302 }
    const wide = geometryOf({ folders: 2, total: 92, columns: 4, lineHeight: 308, headingHeight: 40 })
    const layout = createTileLayout(proportions, keptFrom(squares, 32))
    layout.layOut(even, rows, card)
    const zoomed = layout.layOut(wide, rows, large)
    expect(tilesOf(zoomed)).toEqual(tilesOf(createTileLayout(proportions).layOut(wide, rows, large)))
    const again: FolderRows = { ...rows, listing: {} }
    expect(tilesOf(layout.layOut(even, again, card))).toEqual(tilesOf(layOut(facts)))
  })
})

describe('the keys and the mouse in rows of tiles', () => {
  // The rows: three folders; 0 to 3 with 3, 1.5, 0.5 and 1; then squares.
  const geometry = layOut({ folders: 3, ratios: [3, 1.5, 0.5, 1, 1, 1, 1, 1, 1, 1, 0.5] })
  const after = (key: string, from: number, isRightToLeft = false) =>
    rowAfterKey(geometry, { key, from, pageLines: 3, isRightToLeft })

  test('left and right follow the order, and up and down lead to the nearest tile', () => {
    expect(linesOf(geometry).map((tiles) => tiles.length)).toEqual([4, 6, 1])
    expect([after('ArrowRight', 6), after('ArrowLeft', 3), after('ArrowLeft', 3, true)]).toEqual([7, 2, 4])
    // The first tile is as wide as three squares.
    expect([after('ArrowDown', 0), after('ArrowUp', 3), after('ArrowDown', 3), after('ArrowUp', 8)]).toEqual([
      3, 1, 8, 3,
    ])
    expect([
      after('ArrowDown', 12),
      after('ArrowDown', 13),
      after('ArrowUp', 13),
      after('ArrowUp', 1),
    ]).toEqual([13, 13, 7, 1])
    expect([after('Home', 9), after('End', 0), after('PageDown', 3), after('PageUp', 13)]).toEqual([
      0, 13, 13, 3,
    ])
  })

  test('a rectangle selects the tiles that it touches', () => {
    const tile = geometry.tiles?.tileAt(4)
    const { top = 0, start = 0, width = 0 } = tile ?? {}
    const box = { top: top + 5, bottom: top + 20, start: start + 5, end: start + width - 5 }
    expect(rowsInBox(geometry, card, box)).toEqual([4])
    expect(rowsInBox(geometry, card, { ...box, end: start + width + 10 })).toEqual([4, 5])
    expect(rowsInBox(geometry, card, { top: 45, bottom: top + 5, start: 20, end: 30 })).toEqual([0, 3])
  })
})

test('20,000 pictures are placed in linear memory and found by their places', () => {
  const ratios = Array.from({ length: 20_000 }, (_, at) => 0.5 + ((at * 7) % 13) / 6)
  const geometry = layOut({ ratios })
  expect(tilesOf(geometry)).toHaveLength(20_000)
  const middle = geometry.tiles?.tileAt(10_000)
  const { first, end } = rowsBetween(geometry, middle?.top ?? 0, (middle?.top ?? 0) + 1)
  expect([first <= 10_000, end > 10_000, end - first < 20]).toEqual([true, true, true])
})
