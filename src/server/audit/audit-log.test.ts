import { expect, onTestFinished, test } from 'vitest'
import { sampleEvent } from '../../../test/kit/audit-event.ts'
import { createClock } from '../../../test/kit/records.ts'
import { auditEventBytes } from '../../shared/domain/limits/audit-limits.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { AuditEvent } from '../records/audit-store.ts'
import { createAuditLog } from './audit-log.ts'
import { waitingBytes, waitingEvents } from './event-queue.ts'
import type { NewAuditEvent } from './event-writer.ts'
import {
  failuresPerMinute,
  fileEventsPerMinute,
  ownEventsPerDay,
  ownEventsPerMinute,
  visitsPerMinute,
} from './recording-limits.ts'

type LogOptions = {
  /** Called before events are stored. It throws the error with which the database refuses them. */
  readonly refuses?: (events: readonly AuditEvent[]) => void
  readonly keptDays?: number
  /** False when no stored event is too old. */
  readonly hasOldEvents?: boolean
}

/** Creates an audit log over a list. */
function openLog({ refuses = () => {}, keptDays = 90, hasOldEvents = true }: LogOptions = {}) {
  const clock = createClock()
  const stored: AuditEvent[] = []
  const lines: AuditEvent[] = []
  const faults: unknown[] = []
  const askedBefore: number[] = []
  const deletedBefore: number[] = []
  const log = createAuditLog({
    store: {
      async add(events) {
        refuses(events)
        stored.push(...events)
      },
      async hasBefore(atMs) {
        askedBefore.push(atMs)
        return hasOldEvents
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
  return { log, clock, stored, lines, faults, askedBefore, deletedBefore }
}

const droppedIn = (events: readonly AuditEvent[]): unknown[] =>
  events.filter(({ action }) => action === 'events-dropped').map(({ details }) => details['count'])

test('a stop stores all events, also one that is still being described', async () => {
  const { log, stored } = openLog()
  const describing = Promise.withResolvers<NewAuditEvent>()
  log.record(sampleEvent({ target: '/first' }))
  log.recordDescribed(() => describing.promise)
  const stopping = log.stop()
  describing.resolve(sampleEvent({ target: '/second' }))
  await stopping
  expect(stored.map(({ target }) => target)).toEqual(['/first', '/second'])
})

test('more events than the buffer holds are counted, and one event tells how many', async () => {
  const { log, stored, lines } = openLog()
  for (let index = 0; index < waitingEvents + 7; index += 1) log.record(sampleEvent())
  await log.flush()
  expect(stored).toHaveLength(waitingEvents)
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

const bytesOf = (events: readonly AuditEvent[]): number => Buffer.byteLength(JSON.stringify(events))
const targetsOf = (events: readonly AuditEvent[]): readonly string[] => events.map(({ target }) => target)

test('an event with texts of any length takes some kilobytes, also in the log for collectors', async () => {
  const { log, stored, lines } = openLog()
  const files = ['n'.repeat(1_000_000), 'short']
  log.record(sampleEvent({ target: `/${'t'.repeat(1_000_000)}`, details: { files } }))
  await log.flush()
  expect(bytesOf(stored)).toBeLessThan(auditEventBytes)
  expect(lines).toEqual(stored)
  expect(stored[0]?.details['files']).toEqual([expect.stringMatching(/^n{200,}… \[1000000 bytes/), 'short'])
})

test('the events that wait for the database are limited in bytes, and downloads make room for logins', async () => {
  let isFull = true
  const { log, stored } = openLog({
    refuses() {
      if (isFull) throw new AppError('no-space')
    },
  })
  const large = sampleEvent({ action: 'download', target: `/${'t'.repeat(9000)}` })
  const fitting = Math.floor(waitingBytes / 2300)
  for (let index = 0; index < fitting * 2; index += 1) log.record(large)
  const important = ['login', 'share-delete', 'user-change'] as const
  for (const action of important) log.record(sampleEvent({ action, target: action }))
  await log.flush()
  expect(stored).toEqual([])
  isFull = false
  await log.flush()
  expect(bytesOf(stored)).toBeLessThan(waitingBytes + 10_000)
  expect(targetsOf(stored)).toEqual(expect.arrayContaining([...important]))
  const kept = stored.filter(({ action }) => action === 'download').length
  expect(kept).toBeGreaterThan(fitting / 2)
  await log.stop()
  const dropped = droppedIn(stored).reduce<number>((sum, count) => sum + Number(count), 0)
  expect(dropped + kept).toBe(fitting * 2)
})

test('while large events find no room, logins and changes of shares are stored', async () => {
  let roomBytes = 1500
  const { log, stored, faults } = openLog({
    refuses(events) {
      if (bytesOf(events) > roomBytes) throw new AppError('no-space')
    },
  })
  for (let index = 0; index < 600; index += 1)
    log.record(sampleEvent({ action: 'download', target: `/${'t'.repeat(1900)}` }))
  for (let index = 0; index < 9; index += 1)
    log.record(sampleEvent({ action: index % 2 === 0 ? 'login' : 'share-delete', target: `/${index}` }))
  await log.flush()
  expect(targetsOf(stored).toSorted()).toEqual(Array.from({ length: 9 }, (_, index) => `/${index}`))
  expect(faults).toHaveLength(1)
  roomBytes = Infinity
  await log.flush()
  expect([stored.length, droppedIn(stored)]).toEqual([609, []])
})

test('an event that the database refuses is counted, and all others are stored', async () => {
  const { log, stored, faults } = openLog({
    refuses(events) {
      if (events.some(({ target }) => target === '/bad')) throw new Error('the text is refused')
    },
  })
  for (let index = 0; index < 700; index += 1)
    log.record(sampleEvent({ target: index === 77 ? '/bad' : `/${index}` }))
  await log.flush()
  expect(new Set(targetsOf(stored.filter(({ action }) => action === 'delete'))).size).toBe(699)
  expect([droppedIn(stored), faults.length]).toEqual([[1], 1])
})

test('events that wait too long are counted, and a login is stored however late', async () => {
  let isBroken = true
  const { log, clock, stored } = openLog({
    refuses() {
      if (isBroken) throw new AppError('unavailable')
    },
  })
  log.record(sampleEvent({ action: 'download' }))
  log.record(sampleEvent({ action: 'login' }))
  await log.flush()
  clock.advance(31 * 60_000)
  isBroken = false
  await log.flush()
  expect(stored.map(({ action }) => action).toSorted()).toEqual(['events-dropped', 'login'])
})

test('an event that cannot be described is counted as dropped', async () => {
  const { log, stored, faults } = openLog()
  log.recordDescribed(() => Promise.reject(new Error('no user')))
  log.recordDescribed(() => {
    throw new Error('no path')
  })
  await log.flush()
  expect([droppedIn(stored), faults.length]).toEqual([[2], 2])
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

const ownShare = sampleEvent({ action: 'share-create', target: '/docs' })
const recordTimes = (count: number, record: () => void): void =>
  Array.from({ length: count }).forEach(() => record())

test('changes of the own shares of a user above the limit of a minute are counted for this user', async () => {
  const { log, clock, stored } = openLog()
  const bea = { userId: 2, username: 'bea' }
  recordTimes(ownEventsPerMinute + 7, () => log.record(ownShare))
  log.record({ ...ownShare, ...bea })
  log.record(sampleEvent({ action: 'login' }))
  log.record(sampleEvent({ action: 'share-delete' }))
  await log.flush()
  const shares = stored.filter(({ action }) => action === 'share-create')
  expect(shares.filter(({ userId }) => userId === 1)).toHaveLength(ownEventsPerMinute)
  expect(shares.filter(({ userId }) => userId === 2)).toHaveLength(1)
  expect(stored.map(({ action }) => action)).toEqual(expect.arrayContaining(['login', 'share-delete']))
  expect(stored.filter(({ action }) => action === 'events-dropped')).toEqual([
    expect.objectContaining({ actor: 'server', userId: 1, username: 'ann', details: { count: 7 } }),
  ])
  clock.advance(60_001)
  log.record(ownShare)
  await log.flush()
  expect(stored.at(-1)).toMatchObject({ action: 'share-create', userId: 1 })
})

test('logins, and changes of the own account, have a limit of a day', async () => {
  const { log, clock, stored } = openLog()
  for (const action of ['login', 'user-change'] as const) {
    const event = sampleEvent({ action, target: 'ann' })
    for (let recorded = 0; recorded <= ownEventsPerDay; recorded += ownEventsPerMinute) {
      recordTimes(ownEventsPerMinute, () => log.record(event))
      clock.advance(60_001)
      await log.flush()
    }
    expect(stored.filter((one) => one.action === action)).toHaveLength(ownEventsPerDay)
  }
  clock.advance(24 * 3_600_000)
  log.record(sampleEvent({ action: 'login' }))
  await log.flush()
  expect(stored.filter(({ action }) => action === 'login')).toHaveLength(ownEventsPerDay + 1)
})

test('what an administrator does to accounts and settings is always recorded', async () => {
  const { log, stored } = openLog()
  const actions = ['user-create', 'user-change', 'user-delete', 'settings-change'] as const
  recordTimes(ownEventsPerMinute + 1, () => {
    for (const action of actions) log.record(sampleEvent({ action, target: 'bea' }))
  })
  await log.flush()
  expect(stored).toHaveLength(actions.length * (ownEventsPerMinute + 1))
})

test('the files of a user have a limit that thousands of small files do not reach', async () => {
  const { log, stored } = openLog()
  const flushed = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= waitingEvents) {
      recordTimes(Math.min(left, waitingEvents), () => log.record(sampleEvent({ action: 'upload' })))
      await log.flush()
    }
  }
  await flushed(fileEventsPerMinute)
  log.record(sampleEvent({ action: 'command' }))
  await log.flush()
  expect([stored.length, droppedIn(stored)]).toEqual([fileEventsPerMinute + 1, []])
  await flushed(3)
  expect(stored).toHaveLength(fileEventsPerMinute + 2)
  expect(droppedIn(stored)).toEqual([3])
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

test('the database is not changed while no event is too old', async () => {
  const { log, clock, askedBefore, deletedBefore } = openLog({ hasOldEvents: false })
  await log.stop()
  expect(askedBefore).toEqual([clock.nowMs() - 90 * 24 * 3_600_000])
  expect(deletedBefore).toEqual([])
})
