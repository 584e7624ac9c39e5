import { expect, onTestFinished, test } from 'vitest'
import { sampleEvent } from '../../../test/kit/audit-event.ts'
import { createClock } from '../../../test/kit/records.ts'
import type { AuditEvent } from '../records/port.ts'
import { createAuditLog, failuresPerMinute, visitsPerMinute, type NewAuditEvent } from './audit-log.ts'
import { waitingEvents } from './event-writer.ts'

/** Creates an audit log over a list. `refuses` is called before events are stored. */
function openLog({ refuses = () => {}, keptDays = 90 }: { refuses?: () => void; keptDays?: number } = {}) {
  const clock = createClock()
  const stored: AuditEvent[] = []
  const lines: AuditEvent[] = []
  const faults: unknown[] = []
  const deletedBefore: number[] = []
  const log = createAuditLog({
    store: {
      async add(events) {
        refuses()
        stored.push(...events)
      },
      async removeBefore(atMs) {
        deletedBefore.push(atMs)
        return false
      },
    },
    keptDays: async () => keptDays,
    writeLine: (line) => void lines.push(line),
    networkOf: (address) => address,
    nowMs: clock.nowMs,
    onFault: (error) => void faults.push(error),
  })
  onTestFinished(() => log.stop())
  return { log, clock, stored, lines, faults, deletedBefore }
}

const droppedIn = (events: readonly AuditEvent[]): unknown[] =>
  events.filter(({ action }) => action === 'events-dropped').map(({ details }) => details['count'])

test('a stop stores all events, also one that is still being described', async () => {
  const { log, stored } = openLog()
  const describing = Promise.withResolvers<NewAuditEvent>()
  log.record(sampleEvent({ target: '/first' }))
  log.recordLater(describing.promise)
  const stopping = log.stop()
  describing.resolve(sampleEvent({ target: '/second' }))
  await stopping
  expect(stored.map(({ target }) => target)).toEqual(['/first', '/second'])
})

test('more events than the buffer holds are counted, and one event tells how many', async () => {
  const { log, stored, lines } = openLog()
  for (let index = 0; index < waitingEvents + 7; index += 1) log.record(sampleEvent())
  await log.flush()
  expect(stored).toHaveLength(waitingEvents + 1)
  expect(droppedIn(stored)).toEqual([7])
  // The log for collectors has no buffer, so it contains every event.
  expect(lines).toHaveLength(waitingEvents + 8)
})

test('events wait while the database refuses them, and are stored once', async () => {
  let isBroken = true
  const { log, stored, faults } = openLog({
    refuses: () => {
      if (isBroken) throw new Error('the database is gone')
    },
  })
  log.record(sampleEvent({ target: '/kept' }))
  await log.flush()
  expect([stored.length, faults.length]).toEqual([0, 1])
  isBroken = false
  await log.flush()
  await log.flush()
  expect(stored.map(({ target }) => target)).toEqual(['/kept'])
})

test('an event that cannot be described is counted as dropped', async () => {
  const { log, stored, faults } = openLog()
  log.recordLater(Promise.reject(new Error('no user')))
  await log.flush()
  expect([droppedIn(stored), faults.length]).toEqual([[1], 1])
})

test('failures of one address above the limit are only counted, until a minute has passed', async () => {
  const { log, clock, stored } = openLog()
  for (let index = 0; index < failuresPerMinute + 5; index += 1)
    log.record(sampleEvent({ outcome: 'login-failed' }))
  log.record(sampleEvent({ outcome: 'login-failed', address: '192.0.2.2' }))
  log.record(sampleEvent())
  await log.flush()
  expect(stored.filter(({ outcome }) => outcome === 'login-failed')).toHaveLength(failuresPerMinute + 1)
  expect(droppedIn(stored)).toEqual([5])
  // Further dropped events are reported once a minute.
  log.record(sampleEvent({ outcome: 'login-failed' }))
  await log.flush()
  expect(droppedIn(stored)).toEqual([5])
  clock.advance(60_001)
  log.record(sampleEvent({ outcome: 'login-failed' }))
  await log.flush()
  expect(stored.filter(({ outcome }) => outcome === 'login-failed')).toHaveLength(failuresPerMinute + 2)
  expect(droppedIn(stored)).toEqual([5, 1])
})

test('events of guests of one address above the limit are only counted, and those of users are all kept', async () => {
  const { log, stored } = openLog()
  const visit = sampleEvent({ action: 'download', actor: 'guest', userId: null, username: '' })
  for (let index = 0; index < visitsPerMinute + 5; index += 1) {
    log.record(visit)
    log.record(sampleEvent())
  }
  await log.flush()
  expect(stored.filter(({ actor }) => actor === 'guest')).toHaveLength(visitsPerMinute)
  expect(stored.filter(({ actor }) => actor === 'user')).toHaveLength(visitsPerMinute + 5)
  expect(droppedIn(stored)).toEqual([5])
})

test('with 0 days nothing is stored, and the lines for collectors are written', async () => {
  const { log, clock, stored, lines, deletedBefore } = openLog({ keptDays: 0 })
  log.record(sampleEvent())
  await expect.poll(() => deletedBefore).toEqual([clock.nowMs() + 1])
  await log.stop()
  expect([stored.length, lines.length]).toEqual([0, 1])
})

test('events older than the configured days are deleted', async () => {
  const { clock, deletedBefore } = openLog({ keptDays: 2 })
  await expect.poll(() => deletedBefore).toEqual([clock.nowMs() - 2 * 24 * 3_600_000])
})
