import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  contentTopOf,
  maxScrollHeight,
  needsCorrection,
  positionShowing,
  type ScrollExtent,
  scrolledTo,
  scrollHeightOf,
  startPosition,
  topToShow,
} from './scroll-position.ts'

const large: ScrollExtent = { contentHeight: 36_000_000, viewHeight: 700 }
const end = large.contentHeight - large.viewHeight
const lastScroll = maxScrollHeight - large.viewHeight

test('below the cap, the content is scrolled as far as the scrollbar', () => {
  const small = { contentHeight: 3_600_000, viewHeight: 700 }
  expect(scrolledTo(startPosition, 123_456, small)).toEqual({ scrollTop: 123_456, offset: 0 })
  expect([scrollHeightOf(3_600_000), needsCorrection({ scrollTop: 5, offset: 0 }, small, true)]).toEqual([
    3_600_000,
    false,
  ])
})

describe('above the cap', () => {
  test('the height is clamped, and both ends of the content can be reached', () => {
    expect(scrollHeightOf(large.contentHeight)).toBe(maxScrollHeight)
    expect(contentTopOf(scrolledTo(startPosition, lastScroll, large))).toBe(end)
    expect(contentTopOf(scrolledTo(positionShowing(end, large), 0, large))).toBe(0)
  })
  test('the middle of the scrollbar shows the middle of the content', () => {
    expect(contentTopOf(scrolledTo(startPosition, lastScroll / 2, large))).toBeCloseTo(end / 2, 0)
  })
  test('small steps are exact', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5000, max: end - 5000 }),
        fc.integer({ min: -700, max: 700 }),
        (top, step) => {
          const from = positionShowing(top, large)
          expect(contentTopOf(scrolledTo(from, from.scrollTop + step, large))).toBe(top + step)
        },
      ),
    )
  })
  test('every position can be reached exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: end }), (top) => {
        const place = positionShowing(top, large)
        expect(contentTopOf(place)).toBe(top)
        expect(place.scrollTop).toBeGreaterThanOrEqual(0)
        expect(place.scrollTop).toBeLessThanOrEqual(lastScroll)
        expect(needsCorrection(place, large, true)).toBe(false)
      }),
    )
  })
  test('scrolling down by the wheel alone reaches the end of the content', () => {
    let place = positionShowing(end - 60_000, large)
    for (let steps = 0; steps < 2000 && contentTopOf(place) < end; steps += 1) {
      place = scrolledTo(place, Math.min(place.scrollTop + 100, lastScroll), large)
      expect(contentTopOf(place)).toBeLessThanOrEqual(end)
      if (needsCorrection(place, large, steps % 7 === 0)) place = positionShowing(contentTopOf(place), large)
    }
    expect(contentTopOf(place)).toBe(end)
  })
})

test.each([
  { where: 'above', top: 100, expected: 100 },
  { where: 'below', top: 1300, expected: 636 },
  { where: 'in view', top: 600, expected: 500 },
])('a row $where is brought into view with as little scrolling as it takes', ({ top, expected }) => {
  expect(topToShow(500, { top, bottom: top + 36 }, 700)).toBe(expected)
})
