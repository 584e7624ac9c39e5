import { beforeEach, expect, test } from 'vitest'
import { columnTracks } from './column-widths.ts'
import { currentWidths, fittingTracks, resizeColumn, tracksOf } from './resize-column.ts'

beforeEach(() => columnTracks.set(''))

test('the name takes the space that the other columns leave, until it is resized', () => {
  expect(tracksOf(currentWidths())).toEqual([
    '2.25rem',
    'minmax(12.5rem,1fr)',
    'minmax(4rem,6rem)',
    'minmax(5rem,10.5rem)',
  ])
  resizeColumn('name', 20)
  resizeColumn('size', 8)
  expect(columnTracks.get()).toBe(
    '2.25rem min(20rem,100% - 11.25rem) minmax(4rem,8rem) minmax(5rem,10.5rem) minmax(0,1fr)',
  )
  expect(currentWidths()).toEqual({ name: 20, size: 8, modified: 10.5 })
})

test('no column becomes narrower than its smallest width', () => {
  for (const by of ['name', 'size', 'modified'] as const) resizeColumn(by, -1)
  expect(currentWidths()).toEqual({ name: 12.5, size: 4, modified: 5 })
})

test.each([
  ['name', 1],
  ['size', 2],
  ['modified', 3],
] as const)('the track of %s fits its content, and the others stay', (by, track) => {
  expect(fittingTracks(by)).toEqual(tracksOf(currentWidths()).with(track, 'max-content'))
})

test('a reset restores the initial width of one column, and all resets leave nothing stored', () => {
  resizeColumn('size', 8)
  resizeColumn('name', 33.3)
  resizeColumn('name', null)
  expect(currentWidths()).toEqual({ name: null, size: 8, modified: 10.5 })
  resizeColumn('size', null)
  expect(columnTracks.get()).toBe('')
})

test('a stored text of another origin counts as the initial widths', () => {
  columnTracks.set('red')
  expect(currentWidths()).toEqual({ name: null, size: 6, modified: 10.5 })
})
