import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderByValue } from './value-order.ts'

const value = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.nat(2 ** 31 - 1).map((n) => 1.7e12 + n / 1024),
)

test.each([false, true])(
  'entries are sorted by value, and entries with equal values keep their order (descending: %s)',
  (isDescending) => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 50 }), (values) => {
        const direction = isDescending ? -1 : 1
        const members = [...values.keys()].toReversed()
        const expected = members.toSorted((a, b) => direction * ((values[a] ?? 0) - (values[b] ?? 0)))
        expect([...orderByValue(Uint32Array.from(members), Float64Array.from(values), isDescending)]).toEqual(
          expected,
        )
      }),
      { numRuns: 1000 },
    )
  },
)
