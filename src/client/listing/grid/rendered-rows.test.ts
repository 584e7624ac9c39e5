import { expect, test } from 'vitest'
import { geometryOf } from '../sections/place-sections.ts'
import { renderedAt, renderedRows, withRowsAround } from './rendered-rows.ts'

/** 1,000 rows of 10 px in a view of 200 px: a step is 60 px, and the overscan is 100 px on each side. */
const layout = {
  geometry: geometryOf({ folders: 0, total: 1000, columns: 1, lineHeight: 10, headingHeight: 0 }),
  extent: { contentHeight: 10_000, viewHeight: 200 },
}
const at = (scrollTop: number) => ({ scrollTop, offset: 0 })

test.each([
  { from: 0, to: 59, isJump: false, first: 0, end: 36, what: 'within the first step' },
  { from: 0, to: 60, isJump: false, first: 0, end: 42, what: 'to the second step' },
  { from: 1000, to: 1360, isJump: false, first: 122, end: 168, what: 'to rows that are rendered in part' },
  { from: 1000, to: 1361, isJump: false, first: 136, end: 157, what: 'to rows that are not rendered' },
  { from: 9800, to: 0, isJump: false, first: 0, end: 20, what: 'from the end to the start' },
  { from: 30, to: 0, isJump: true, first: 0, end: 20, what: 'to the start of other content' },
])('a move $what renders rows $first to $end', ({ from, to, isJump, first, end }) => {
  const rendered = renderedAt(layout, { from: at(from), to: at(to), isJump })
  expect(renderedRows(rendered, layout)).toEqual({ first, end })
})

test.each([0, 59, 60, 4321, 9800])('after a jump to %i px, the rows around the view follow', (top) => {
  const rendered = renderedAt(layout, { from: at(0), to: at(top), isJump: true })
  const around = renderedRows(withRowsAround(rendered), layout)
  expect(around).toEqual(
    renderedRows(renderedAt(layout, { from: at(top), to: at(top), isJump: false }), layout),
  )
  expect(around.first).toBeLessThanOrEqual(Math.max(0, Math.floor(top / 10) - 10))
  expect(around.end).toBeGreaterThanOrEqual(Math.min(1000, Math.ceil(top / 10) + 30))
})
