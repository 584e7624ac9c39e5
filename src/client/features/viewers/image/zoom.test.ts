import { expect, test } from 'vitest'
import { fittedSize, fittedView, maxScaleOf, moveBy, scaleAfterDoubleClick, zoomTo } from './zoom.ts'

const view = { width: 800, height: 600 }
const natural = { width: 4000, height: 3000 }
const fitted = fittedSize(natural, view)
const limits = { fitted, view, maxScale: maxScaleOf(natural, fitted) }

test('a large image is fitted into the view, and a small one keeps its size', () => {
  expect([fitted, fittedSize({ width: 40, height: 30 }, view)]).toEqual([
    { width: 800, height: 600 },
    { width: 40, height: 30 },
  ])
})

test('the scale ends at a quarter, and at four times beyond the natural size', () => {
  expect(zoomTo(fittedView, { scale: 100 }, limits).scale).toBe(9)
  expect(zoomTo(fittedView, { scale: 0 }, limits).scale).toBe(0.25)
})

test('a double click goes through the scales 1, 2 and 4, also from a scale between them', () => {
  expect([1, 2, 4, 0.5, 3, 9].map(scaleAfterDoubleClick)).toEqual([2, 4, 1, 1, 4, 1])
})

test('the point under the pointer keeps its place', () => {
  const focus = { x: 100, y: -50 }
  const before = zoomTo(fittedView, { scale: 2 }, limits)
  const after = zoomTo(before, { scale: 4, focus }, limits)
  const pointOf = ({ scale, offset }: typeof after) => ({
    x: (focus.x - offset.x) / scale,
    y: (focus.y - offset.y) / scale,
  })
  expect(pointOf(after)).toEqual(pointOf(before))
})

test('an image is moved as far as its edges, and one that fits stays in the middle', () => {
  const twice = zoomTo(fittedView, { scale: 2 }, limits)
  expect(moveBy(twice, { x: 9999, y: -9999 }, limits).offset).toEqual({ x: 400, y: -300 })
  expect(moveBy(fittedView, { x: 50, y: 50 }, limits).offset).toEqual({ x: 0, y: 0 })
})
