import { expect, test } from 'vitest'
import { evaluatePreconditions, isRangeApplicable } from './preconditions.ts'

const file = { etag: 'e1', modifiedMs: Date.UTC(2026, 10, 21, 12, 0, 0, 500) }
const date = 'Sat, 21 Nov 2026 12:00:00 GMT'
const before = 'Sat, 21 Nov 2026 11:59:59 GMT'
const after = 'Sat, 21 Nov 2026 12:00:01 GMT'

test.each([
  [{}, 'go'],
  [{ 'if-none-match': '"e1"' }, 'not-modified'],
  [{ 'if-none-match': 'W/"e1"' }, 'not-modified'],
  [{ 'if-none-match': '"e0", "e1"' }, 'not-modified'],
  [{ 'if-none-match': '*' }, 'not-modified'],
  [{ 'if-none-match': '"e2"' }, 'go'],
  [{ 'if-none-match': 'e1' }, 'go'],
  [{ 'if-modified-since': date }, 'not-modified'],
  [{ 'if-modified-since': after }, 'not-modified'],
  [{ 'if-modified-since': before }, 'go'],
  [{ 'if-modified-since': 'yesterday, or so' }, 'go'],
  [{ 'if-modified-since': 'Saturday, 21-Nov-26 12:00:00 GMT' }, 'not-modified'],
  [{ 'if-modified-since': 'Sat Nov 21 12:00:00 2026' }, 'not-modified'],
  [{ 'if-modified-since': 'Sat Nov 21 11:59:59 2026' }, 'go'],
  // A string that only `Date.parse` accepts is not an HTTP date.
  [{ 'if-modified-since': '9999' }, 'go'],
  [{ 'if-modified-since': '2026-11-22' }, 'go'],
  // If-None-Match takes precedence over If-Modified-Since.
  [{ 'if-none-match': '"e2"', 'if-modified-since': date }, 'go'],
  [{ 'if-none-match': '"e1"', 'if-modified-since': before }, 'not-modified'],
  [{ 'if-match': '"e1"' }, 'go'],
  [{ 'if-match': '*' }, 'go'],
  [{ 'if-match': '"e0","e1"' }, 'go'],
  [{ 'if-match': '"e2"' }, 'failed'],
  [{ 'if-match': 'W/"e1"' }, 'failed'],
  [{ 'if-unmodified-since': date }, 'go'],
  [{ 'if-unmodified-since': before }, 'failed'],
  [{ 'if-unmodified-since': 'never' }, 'go'],
  [{ 'if-unmodified-since': '0' }, 'go'],
  [{ 'if-unmodified-since': '-1' }, 'go'],
  // If-Match takes precedence over If-Unmodified-Since.
  [{ 'if-match': '"e1"', 'if-unmodified-since': before }, 'go'],
  [{ 'if-match': '"e2"', 'if-unmodified-since': after }, 'failed'],
  // The first group of preconditions takes precedence over the second.
  [{ 'if-match': '"e2"', 'if-none-match': '"e1"' }, 'failed'],
  [{ 'if-match': '"e1"', 'if-none-match': '"e1"' }, 'not-modified'],
])('the preconditions %j give %s', (headers, verdict) => {
  expect(evaluatePreconditions((name) => (headers as Record<string, string>)[name], file)).toBe(verdict)
})

const nothing = { etag: null, modifiedMs: null }

test.each([
  [{ 'if-match': '"x"' }, 'failed'],
  [{ 'if-match': '"null"' }, 'failed'],
  [{ 'if-match': '' }, 'failed'],
  [{ 'if-match': '*' }, 'go'],
  [{ 'if-none-match': '*' }, 'not-modified'],
  [{ 'if-none-match': '"x"' }, 'go'],
  [{ 'if-match': '*', 'if-none-match': '*' }, 'not-modified'],
  [{ 'if-modified-since': after }, 'go'],
  [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 'go'],
])('without validators, the preconditions %j give %s', (headers, verdict) => {
  expect(evaluatePreconditions((name) => (headers as Record<string, string>)[name], nothing)).toBe(verdict)
})

test.each(['"null"', 'Thu, 01 Jan 1970 00:00:00 GMT', 'rubbish'])(
  'without validators, a range with If-Range %s is ignored',
  (ifRange) => {
    expect(isRangeApplicable(() => ifRange, nothing)).toBe(false)
  },
)

test.each([
  [undefined, true],
  ['"e1"', true],
  ['"e2"', false],
  ['W/"e1"', false],
  [date, true],
  [before, false],
  [after, false],
  ['rubbish', false],
])('a range with If-Range %s is applied: %s', (ifRange, counts) => {
  expect(isRangeApplicable((name) => (name === 'if-range' ? ifRange : undefined), file)).toBe(counts)
})
