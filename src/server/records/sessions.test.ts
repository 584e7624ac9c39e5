import { expect, test } from 'vitest'
import { createClock, testRecords, userFields, type TestClock } from '../../../test/kit/records.ts'
import type { SessionStore } from './session-store.ts'

const hourMs = 3_600_000

async function createSessionStore(options: { readonly rowsPerUser?: number } = {}) {
  const clock = createClock()
  const records = await testRecords(clock, options)
  for (const username of ['ann', 'bea']) await records.users.add(userFields({ username }))
  return { clock, ...records }
}

const sessionOf = (clock: TestClock, id: string, userId = 1) => ({
  id,
  userId,
  createdAtMs: clock.nowMs(),
  seenAtMs: clock.nowMs(),
  idleUntilMs: clock.nowMs() + 2 * hourMs,
  endsAtMs: clock.nowMs() + 720 * hourMs,
  agent: 'a browser',
  address: '192.0.2.1',
  cookieDigest: `cookie of ${id}`,
  token: { jtiDigest: `token of ${id}`, expiresAtMs: clock.nowMs() + 2 * hourMs },
})

const open = (sessions: SessionStore, clock: TestClock, id: string, userId = 1) =>
  sessions.add(sessionOf(clock, id, userId))

test('a session is found only by its two digests', async () => {
  const { clock, sessions } = await createSessionStore()
  await open(sessions, clock, 'one')
  const found = await sessions.findByJti('token of one')
  expect(found).toMatchObject({ id: 'one', userId: 1, agent: 'a browser' })
  expect(await sessions.findByCookie('cookie of one')).toEqual(found)
  expect([await sessions.findByJti('cookie of one'), await sessions.findByCookie('one')]).toEqual([
    null,
    null,
  ])
})

test('a second token finds the same session, and the first token stays valid', async () => {
  const { clock, sessions } = await createSessionStore()
  await open(sessions, clock, 'one')
  await sessions.addToken('one', { jtiDigest: 'second', expiresAtMs: clock.nowMs() + hourMs })
  expect([(await sessions.findByJti('second'))?.id, (await sessions.findByJti('token of one'))?.id]).toEqual([
    'one',
    'one',
  ])
})

test('a session has at most a thousand valid tokens', async () => {
  const { clock, sessions } = await createSessionStore()
  await open(sessions, clock, 'one')
  const expiresAtMs = clock.nowMs() + hourMs
  for (let n = 1; n < 1000; n += 1) await sessions.addToken('one', { jtiDigest: `t${n}`, expiresAtMs })
  const more = () => sessions.addToken('one', { jtiDigest: 'more', expiresAtMs: clock.nowMs() + hourMs })
  await expect(more()).rejects.toMatchObject({ code: 'too-many-tries' })
  clock.advance(hourMs)
  await more()
})

test.each([
  ['ending the session', (s: SessionStore) => s.end('one')],
  ['ending all sessions of the user', (s: SessionStore) => s.endAllOf(1)],
] as const)('%s makes the session invalid', async (_case, end) => {
  const { clock, sessions } = await createSessionStore()
  await open(sessions, clock, 'one')
  await open(sessions, clock, 'other', 2)
  await end(sessions)
  expect([
    await sessions.findByJti('token of one'),
    await sessions.findByCookie('cookie of one'),
    await sessions.listOf(1),
    [...(await sessions.unended(['one', 'other']))],
    (await sessions.findByJti('token of other'))?.id,
  ]).toEqual([null, null, [], ['other'], 'other'])
})

test('a session ends when it was idle for too long, and not when it was used', async () => {
  const { clock, sessions } = await createSessionStore()
  await open(sessions, clock, 'one')
  await open(sessions, clock, 'used')
  clock.advance(hourMs)
  await sessions.touch('used', { seenAtMs: clock.nowMs(), idleUntilMs: clock.nowMs() + 2 * hourMs })
  clock.advance(1.5 * hourMs)
  expect([
    await sessions.findByCookie('cookie of one'),
    (await sessions.findByCookie('cookie of used'))?.id,
  ]).toEqual([null, 'used'])
})

test('a session ends at its absolute end, even when it is used', async () => {
  const { clock, sessions } = await createSessionStore()
  await open(sessions, clock, 'one')
  await sessions.touch('one', { seenAtMs: clock.nowMs(), idleUntilMs: clock.nowMs() + 10_000 * hourMs })
  clock.advance(720 * hourMs)
  expect(await sessions.findByCookie('cookie of one')).toBe(null)
})

test('beyond twenty sessions, the least recently used session ends', async () => {
  const { clock, sessions } = await createSessionStore()
  await open(sessions, clock, 'of bea', 2)
  for (let n = 0; n < 20; n += 1) {
    clock.advance(1000)
    expect(await open(sessions, clock, `s${n}`)).toEqual([])
  }
  clock.advance(1000)
  await sessions.touch('s0', { seenAtMs: clock.nowMs(), idleUntilMs: clock.nowMs() + hourMs })
  expect(await open(sessions, clock, 'one more')).toEqual(['s1'])
  expect(await sessions.findByJti('token of s1')).toBe(null)
  expect(
    (await sessions.listOf(1))
      .map(({ id }) => id)
      .slice(0, 2)
      .sort(),
  ).toEqual(['one more', 's0'])
  expect([(await sessions.listOf(1)).length, (await sessions.listOf(2)).length]).toEqual([20, 1])
})

test('all sessions of a user end, except one', async () => {
  const { clock, sessions } = await createSessionStore()
  for (const id of ['a', 'b', 'c']) await open(sessions, clock, id)
  expect([...(await sessions.endAllOf(1, 'b'))].sort()).toEqual(['a', 'c'])
  expect((await sessions.listOf(1)).map(({ id }) => id)).toEqual(['b'])
})

test('sessions that were idle for too long are invalid, and are ended together with the other sessions', async () => {
  const { clock, sessions } = await createSessionStore()
  await open(sessions, clock, 'old')
  clock.advance(100 * hourMs)
  await open(sessions, clock, 'new')
  expect([...(await sessions.unended(['old', 'new', 'none']))].sort()).toEqual(['new', 'old'])
  expect([...(await sessions.active(['old', 'new', 'none']))]).toEqual(['new'])
  expect([...(await sessions.endAllOf(1, 'new'))]).toEqual(['old'])
  expect([...(await sessions.unended(['old', 'new']))]).toEqual(['new'])
})

test('disabling a user ends the sessions, and enabling the user restores no session', async () => {
  const { clock, sessions, users } = await createSessionStore()
  await open(sessions, clock, 'one')
  await users.update(1, { isDisabled: true })
  expect([...(await sessions.unended(['one']))]).toEqual([])
  await users.update(1, { isDisabled: false })
  expect(await sessions.findByJti('token of one')).toBe(null)
})

test('an import that disables a user ends the sessions', async () => {
  const { clock, sessions, users } = await createSessionStore()
  await open(sessions, clock, 'one')
  const user = (await users.find(1))!
  await users.importAll({ users: [{ ...user, isDisabled: true }], onExistingId: 'overwrite' })
  expect([...(await sessions.unended(['one']))]).toEqual([])
})

test('removing a user removes the sessions', async () => {
  const { clock, sessions, users } = await createSessionStore()
  await open(sessions, clock, 'one')
  await users.remove(1)
  expect(await sessions.findByJti('token of one')).toBe(null)
})

/** A server keeps a thousand rows of inactive sessions. Fewer show the same, and each of them costs a transaction. */
const rowsPerUser = 30

/** Opens more sessions for a user than are kept, one after the other. Returns their number. */
async function logInAgainAndAgain(sessions: SessionStore, clock: TestClock): Promise<number> {
  const count = rowsPerUser + 60
  for (let n = 0; n < count; n += 1) {
    clock.advance(1)
    await open(sessions, clock, `s${n}`)
  }
  return count
}

test('of the ended sessions of a user who logs in in a loop, the latest are kept', async () => {
  const { clock, sessions } = await createSessionStore({ rowsPerUser })
  await open(sessions, clock, 'of bea', 2)
  await sessions.end('of bea')
  const count = await logInAgainAndAgain(sessions, clock)
  const active = Array.from({ length: 20 }, (_, n) => `s${count - 1 - n}`)
  expect((await sessions.listOf(1)).map(({ id }) => id)).toEqual(active)
  for (const n of [0, 30, count - 21]) {
    expect(await sessions.findByJti(`token of s${n}`)).toBeNull()
    expect(await sessions.findByCookie(`cookie of s${n}`)).toBeNull()
    expect([...(await sessions.unended([`s${n}`]))]).toEqual([])
  }
  // Ids are unique, so a session with the id of a row that was kept cannot be stored.
  for (const kept of ['of bea', `s${count - rowsPerUser}`])
    expect(
      await open(sessions, clock, kept).then(
        () => 'stored',
        () => 'refused',
      ),
    ).toBe('refused')
  await open(sessions, clock, 's0')
  // A token of File Browser that was never used opens its session as before.
  await sessions.addOnce(sessionOf(clock, 'old'))
  expect(await sessions.findByJti('token of old')).toMatchObject({ id: 'old' })
})

test('an ended session of a token of File Browser does not become valid again after its row was deleted', async () => {
  const { clock, sessions } = await createSessionStore({ rowsPerUser })
  const session = sessionOf(clock, 'old')
  const old = { ...session, idleUntilMs: session.endsAtMs }
  await sessions.addOnce(old)
  await sessions.end('old')
  await logInAgainAndAgain(sessions, clock)
  expect(await sessions.addOnce(old)).toEqual([])
  expect(await sessions.findByJti('token of old')).toBeNull()
  await open(sessions, clock, 'old')
})
