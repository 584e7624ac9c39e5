import { expect, test } from 'vitest'
import {
  addressOfFilter,
  auditQueryOf,
  filterOfAddress,
  noFilter,
  type AuditFilterFields,
} from './audit-query.ts'

test.each<AuditFilterFields>([
  noFilter,
  { text: '/a%2Fb #?&+ 😀', user: 'Ä b', action: 'login', outcome: 'failed', from: '2026-01-02', to: '' },
  { ...noFilter, outcome: 'ok', to: '2026-12-31' },
])('the filter %j comes back from its address', (filter) => {
  expect(filterOfAddress(new URL(addressOfFilter(filter), 'http://nas').search)).toEqual(filter)
})

test('a path is found as it is displayed', () => {
  expect(auditQueryOf({ ...noFilter, text: 'Docs / a.txt' })).toEqual({ text: 'Docs/a.txt' })
})

test('the address of no filter has no query', () => {
  expect(addressOfFilter(noFilter)).toBe('/settings/audit')
})

test.each(['?action=dance', '?outcome=maybe', '?from=yesterday&to=2026-1-1', '?other=1', '?text='])(
  'the query %s selects all events',
  (query) => {
    expect(filterOfAddress(query)).toEqual(noFilter)
  },
)
