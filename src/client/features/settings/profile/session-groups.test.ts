import { expect, test } from 'vitest'
import { groupSessions } from './session-groups.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const sessionOf = (id: string, agent: string, address = '10.0.0.1', current = false) => ({
  id,
  agent,
  address,
  current,
  created: '2026-01-01T00:00:00Z',
  seen: '2026-01-02T00:00:00Z',
  expires: '2026-02-01T00:00:00Z',
})

test('sessions of the same program from the same address are one group, and the current session is first and alone', () => {
  const groups = groupSessions([
    sessionOf('a', 'curl/8.5.0'),
    sessionOf('b', firefox),
    sessionOf('c', 'curl/8.5.0'),
    sessionOf('d', 'curl/8.5.0', '10.0.0.2'),
    sessionOf('e', firefox, '10.0.0.1', true),
    sessionOf('f', firefox),
  ])
  expect(groups.map(({ sessions }) => sessions.map(({ id }) => id))).toEqual([
    ['e'],
    ['a', 'c'],
    ['b', 'f'],
    ['d'],
  ])
})
