import { array, assert, nat, oneof, property, string, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { parseRanges } from './ranges.ts'

const parts = (...pairs: [number, number][]) => ({
  kind: 'parts',
  parts: pairs.map(([start, end]) => ({ start, end })),
})
const whole = { kind: 'whole' }
const outside = { kind: 'unsatisfiable' }

test.each([
  [undefined, whole],
  ['bytes=0-0', parts([0, 1])],
  ['bytes=0-9', parts([0, 10])],
  ['bytes=0-99', parts([0, 10])],
  ['bytes=3-', parts([3, 10])],
  ['bytes=-3', parts([7, 10])],
  ['bytes=-99', parts([0, 10])],
  ['BYTES = 1-2', parts([1, 3])],
  ['bytes=1-2, ,4-5', parts([1, 3], [4, 6])],
  ['bytes=1-2,20-30', parts([1, 3])],
  ['bytes=10-', outside],
  ['bytes=10-20,30-', outside],
  ['bytes=-0', outside],
  ['bytes=5-3', whole],
  ['bytes=a-b', whole],
  ['bytes=-', whole],
  ['bytes=', whole],
  ['bytes=1-2-3', whole],
  ['bytes=0x1-2', whole],
  ['lines=1-2', whole],
  ['bytes=0-5,3-8', whole],
  ['bytes=4-5,1-2', whole],
  ['bytes=0-0,1-1,2-2,3-3,4-4', whole],
  ['bytes=99999999999999999999-', whole],
  [`bytes=${'0-0,'.repeat(5000)}`, whole],
] as const)('%s of ten bytes', (header, asked) => {
  expect(parseRanges(header, 10)).toEqual(asked)
})

test('no range of an empty file can be satisfied', () => {
  expect(parseRanges('bytes=0-', 0)).toEqual(outside)
  expect(parseRanges('bytes=-1', 0)).toEqual(outside)
})

test('no range request yields more bytes than the file has', () => {
  const spec = oneof(
    tuple(nat(2000), nat(2000)).map(([a, b]) => `${a}-${b}`),
    nat(2000).map((n) => `${n}-`),
    nat(2000).map((n) => `-${n}`),
    string({ maxLength: 5 }),
  )
  assert(
    property(array(spec, { maxLength: 6 }), nat(1000), (specs, size) => {
      const asked = parseRanges(`bytes=${specs.join(',')}`, size)
      if (asked.kind !== 'parts') return
      const total = asked.parts.reduce((sum, { start, end }) => sum + end - start, 0)
      expect(total).toBeGreaterThan(0)
      expect(total).toBeLessThanOrEqual(size)
    }),
  )
})
