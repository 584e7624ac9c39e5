import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { AppError } from '../../shared/domain/failure.ts'
import { root } from '../../shared/domain/path.ts'
import { createClock, testRecords } from '../../../test/kit/records.ts'
import { createTickets, type TicketOffice } from './tickets.ts'
import { digestOf } from './tokens.ts'

const holder = { userId: 1, sessionId: 's' }
const target = { kind: 'raw', path: root }

/** Creates the ticket offices of two servers on the same records. */
async function openOffices() {
  const clock = createClock()
  const { tickets } = await testRecords(clock)
  const open = () => createTickets({ tickets, nowMs: clock.nowMs, randomBytes })
  /** Issues a ticket and waits until it is stored, which a busy machine may do after `issue` has returned. */
  async function issueStored(office: TicketOffice): Promise<string> {
    const text = await office.issue(holder, target)
    await expect.poll(async () => tickets.find(digestOf(text))).not.toBe(null)
    return text
  }
  return { clock, tickets, office: open(), other: open(), issueStored }
}

test('a ticket is valid for a minute', async () => {
  const { clock, office } = await openOffices()
  const text = await office.issue(holder, target)
  clock.advance(59_999)
  expect(await office.redeem(text, target, 'repeated')).toEqual(holder)
  clock.advance(1)
  expect(await office.redeem(text, target, 'repeated')).toBe(null)
  clock.advance(3_600_000)
  const ofTheFuture = await office.issue(holder, target)
  clock.advance(-3_600_000)
  expect(await office.redeem(ofTheFuture, target, 'repeated')).toBe(null)
})

test('a ticket of one server is redeemed by another one, and once by both together', async () => {
  const { office, other, issueStored } = await openOffices()
  const text = await issueStored(office)
  expect(await other.redeem(text, target, 'repeated')).toEqual(holder)
  expect(await other.redeem(text, { ...target, kind: 'preview' }, 'once')).toBe(null)
  const used = await Promise.all([office, other, office, other].map((at) => at.redeem(text, target, 'once')))
  expect(used.filter((found) => found !== null)).toEqual([holder])
  for (const at of [office, other]) expect(await at.redeem(text, target, 'repeated')).toBe(null)
})

const full = async () => Promise.reject(new AppError('no-space'))

test('while the records cannot be changed, a server redeems its own tickets, each of them once', async () => {
  const { clock, tickets, other, issueStored } = await openOffices()
  const office = createTickets({
    tickets: { ...tickets, add: full, take: full },
    nowMs: clock.nowMs,
    randomBytes,
  })
  const [own, theirs] = [await office.issue(holder, target), await issueStored(other)]
  for (const text of [own, theirs]) {
    expect(await office.redeem(text, target, 'once')).toEqual(holder)
    expect(await office.redeem(text, target, 'once')).toBe(null)
  }
})

test('a session or a user with too many tickets gets no more until they expire, and others do', async () => {
  const { clock, tickets, office, other } = await openOffices()
  /** Stores tickets without an office, which would return before they are stored on a busy machine. */
  const fill = async (sessionId: string, count: number): Promise<void> => {
    const untilMs = clock.nowMs() + 60_000
    const add = (n: number) =>
      tickets.add({ digest: `${sessionId} ${n}`, userId: 1, sessionId, targetDigest: 'any', untilMs })
    for (let first = 0; first < count; first += 20)
      await Promise.all(Array.from({ length: Math.min(20, count - first) }, (_, n) => add(first + n)))
  }
  await fill(holder.sessionId, 998)
  for (const at of [office, other]) await at.issue(holder, target)
  for (const at of [office, other])
    await expect.poll(() => at.issue(holder, target).catch(String)).toContain('too-many-tries')
  await fill('another', 1000)
  await expect(office.issue({ userId: 1, sessionId: 'a third' }, target)).rejects.toThrow('too-many-tries')
  await office.issue({ userId: 2, sessionId: 'of another user' }, target)
  clock.advance(60_000)
  expect(await office.issue(holder, target)).toMatch(/^[\w-]{43}$/)
  // Two thousand transactions take more than a minute on a busy machine with PostgreSQL.
}, 180_000)

test('a session that was refused while the clock was ahead gets tickets again', async () => {
  const { clock, tickets } = await openOffices()
  let hasTooMany = true
  const office = createTickets({
    tickets: {
      ...tickets,
      async add(ticket) {
        if (hasTooMany) throw new AppError('too-many-tries', { retryAfterSeconds: 60 })
        await tickets.add(ticket)
      },
    },
    nowMs: clock.nowMs,
    randomBytes,
  })
  clock.advance(3_600_000)
  await expect(office.issue(holder, target)).rejects.toThrow('too-many-tries')
  hasTooMany = false
  await expect(office.issue(holder, target)).rejects.toThrow('too-many-tries')
  clock.advance(-3_600_000)
  expect(await office.issue(holder, target)).toMatch(/^[\w-]{43}$/)
})

const holderOf = (userId: number) => ({ userId, sessionId: `of ${userId}` })

test('while the database is locked, few tickets wait for it, and all of them are valid at this server', async () => {
  const { clock, tickets, other } = await openOffices()
  const lock = Promise.withResolvers<void>()
  const [waiting, ofOne] = [new Set<string>(), new Set<string>()]
  const wait = async (write: string): Promise<void> => {
    waiting.add(write)
    await lock.promise
  }
  const office = createTickets({
    tickets: {
      ...tickets,
      async add(ticket) {
        if (ticket.userId === 1) ofOne.add(ticket.digest)
        await wait(`add ${ticket.digest}`)
        await tickets.add(ticket)
      },
      async take(digest) {
        await wait(`take ${digest}`)
        return tickets.take(digest)
      },
    },
    nowMs: clock.nowMs,
    randomBytes,
  })
  const theirs: string[] = []
  for (let n = 0; n < 40; n += 1) theirs.push(await other.issue(holderOf(2), target))
  const own = await Promise.all(Array.from({ length: 300 }, () => office.issue(holder, target)))
  const used = await Promise.all(theirs.map((text) => office.redeem(text, target, 'once')))
  expect([ofOne.size, waiting.size]).toEqual([20, 40])
  expect(used.filter((found) => found !== null)).toHaveLength(40)
  await Promise.all(Array.from({ length: 300 }, (_, n) => office.issue(holderOf(n + 3), target)))
  expect([ofOne.size, waiting.size]).toEqual([20, 200])
  for (const text of own) expect(await office.redeem(text, target, 'repeated')).toEqual(holder)
  lock.resolve()
  const stored = async () => {
    const text = await office.issue(holder, target)
    return other.redeem(text, target, 'repeated')
  }
  await expect.poll(stored, { timeout: 20_000 }).toEqual(holder)
})
