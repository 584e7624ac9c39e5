import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { root } from '../../shared/domain/path.ts'
import { createClock } from '../../../test/kit/records.ts'
import { createTickets } from './tickets.ts'

const holder = { userId: 1, sessionId: 's' }
const target = { kind: 'raw', path: root }

test('a ticket is valid for a minute', () => {
  const clock = createClock()
  const tickets = createTickets({ nowMs: clock.nowMs, randomBytes })
  const text = tickets.issue(holder, target)
  clock.advance(59_999)
  expect(tickets.redeem(text, target, 'repeated')).toEqual(holder)
  clock.advance(1)
  expect(tickets.redeem(text, target, 'repeated')).toBe(null)
  clock.advance(3_600_000)
  const ofTheFuture = tickets.issue(holder, target)
  clock.advance(-3_600_000)
  expect(tickets.redeem(ofTheFuture, target, 'repeated')).toBe(null)
})

test('a session or a user with too many tickets gets no more until they expire, and others do', () => {
  const clock = createClock()
  const tickets = createTickets({ nowMs: clock.nowMs, randomBytes })
  for (let n = 0; n < 1000; n += 1) tickets.issue(holder, target)
  expect(() => tickets.issue(holder, target)).toThrow('too-many-tries')
  for (let n = 0; n < 1000; n += 1) tickets.issue({ userId: 1, sessionId: 'another' }, target)
  expect(() => tickets.issue({ userId: 1, sessionId: 'a third' }, target)).toThrow('too-many-tries')
  tickets.issue({ userId: 2, sessionId: 'of another user' }, target)
  clock.advance(60_000)
  expect(() => tickets.issue(holder, target)).not.toThrow()
})
