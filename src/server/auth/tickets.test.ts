import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { root } from '../../shared/domain/path.ts'
import { createClock } from '../../../test/kit/records.ts'
import { createTickets } from './tickets.ts'

const holder = { userId: 1, sessionId: 's' }
const place = { kind: 'raw', path: root }

test('a ticket is good for a minute', () => {
  const clock = createClock()
  const tickets = createTickets({ nowMs: clock.nowMs, randomBytes })
  const text = tickets.issue(holder, place)
  clock.pass(59_999)
  expect(tickets.redeem(text, place, 'repeated')).toEqual(holder)
  clock.pass(1)
  expect(tickets.redeem(text, place, 'repeated')).toBe(null)
})

test('a session that hoards tickets gets no more until they are old, and others do', () => {
  const clock = createClock()
  const tickets = createTickets({ nowMs: clock.nowMs, randomBytes })
  for (let n = 0; n < 1000; n += 1) tickets.issue(holder, place)
  expect(() => tickets.issue(holder, place)).toThrow('too-many-tries')
  tickets.issue({ userId: 1, sessionId: 'another' }, place)
  clock.pass(60_000)
  expect(() => tickets.issue(holder, place)).not.toThrow()
})
