import { expect, test } from 'vitest'
import { CallError } from '../api/call.ts'
import { reasonOfSearch } from './reason.ts'

test.each([
  [new CallError(500), 'search.failed.internal'],
  [new CallError(500, { code: 'internal' }), 'search.failed.internal'],
  [new TypeError('the program has a fault'), 'search.failed.internal'],
  [new CallError(0), 'palette.failed'],
  [new CallError(403), 'palette.failed'],
  [new CallError(500, { code: 'timeout' }), 'palette.failed'],
])('a search that failed with %s has the sentence %s', (thrown, id) => {
  expect(reasonOfSearch(thrown)).toBe(id)
})
