import { beforeEach, expect, test } from 'vitest'
import { columnTracks } from './column-widths.ts'
import { currentWidths, fittingTracks, resizeColumn, tracksOf } from './resize-column.ts'

beforeEach(() => columnTracks.set(''))

test('the columns have their widths where there is room, and the end of a wide row is empty', () => {
  expect(tracksOf(currentWidths())).toEqual([
    '2.25rem',
    'minmax(12.5rem,28rem)',
    'minmax(6rem,11rem)',
    'minmax(4rem,6rem)',
    'minmax(5rem,10.5rem)',
    'minmax(0,1fr)',
  ])
  resizeColumn('type', 9)
  expect(currentWidths()).toEqual({ name: null, type: 9, size: 6, modified: 10.5 })
  resizeColumn('name', 20)
  resizeColumn('size', 8)
  expect(columnTracks.get()).toBe(
    '2.25rem min(20rem,100% - 17.25rem) minmax(6rem,9rem) minmax(4rem,8rem) minmax(5rem,10.5rem) minmax(0,1fr)',
  )
  expect(currentWidths()).toEqual({ name: 20, type: 9, size: 8, modified: 10.5 })
})

test('no column becomes narrower than its smallest width', () => {
  for (const by of ['name', 'type', 'size', 'modified'] as const) resizeColumn(by, -1)
  expect(currentWidths()).toEqual({ name: 12.5, type: 6, size: 4, modified: 5 })
})

test.each([
  ['name', 1],
  ['type', 2],
  ['size', 3],
  ['modified', 4],
] as const)('the track of %s fits its content, and the others stay', (by, track) => {
  expect(fittingTracks(by)).toEqual(tracksOf(currentWidths()).with(track, 'max-content'))
})

test('a reset restores the initial width of one column, and all resets leave nothing stored', () => {
  resizeColumn('size', 8)
  resizeColumn('name', 33.3)
  resizeColumn('name', null)
  expect(currentWidths()).toEqual({ name: null, type: 11, size: 8, modified: 10.5 })
  resizeColumn('size', null)
  expect(columnTracks.get()).toBe('')
})

test('a stored text of another origin counts as the initial widths', () => {
  columnTracks.set('red')
  expect(currentWidths()).toEqual({ name: null, type: 11, size: 6, modified: 10.5 })
})
