import { expect, test } from 'vitest'
import { errorStatus } from '../../shared/contract/errors.ts'
import { CallError } from '../api/call.ts'
import catalogue from '../i18n/locales/en.po?raw'
import { reasonOfSearch } from './reason.ts'

test('every error code has a sentence in the English catalogue', () => {
  const missing = [...Object.keys(errorStatus), 'offline'].filter(
    (code) => !catalogue.includes(`msgid "reason.${code}"\n`),
  )
  expect(missing).toEqual([])
})

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
