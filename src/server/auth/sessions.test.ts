import { expect, test } from 'vitest'
import { AppError } from '../../shared/domain/failure.ts'
import { root } from '../../shared/domain/path.ts'
import { sessionNeedsOn } from '../../../test/kit/login.ts'
import { createClock, testRecords, userFields } from '../../../test/kit/records.ts'
import {
  endSession,
  endSessionsOf,
  openSession,
  recogniseSession,
  renewToken,
  type Credentials,
  type OpenedSession,
} from './sessions.ts'
import { verifyToken } from './tokens.ts'

const hourMs = 3_600_000
const client = { address: '192.0.2.1', agent: 'a browser' }

async function world() {
  const clock = createClock()
  const records = await testRecords(clock)
  for (const username of ['ann', 'bea']) await records.users.add(userFields({ username }))
  const needs = sessionNeedsOn(records, clock)
  const open = async (userId = 1) => {
    const user = await records.users.find(userId)
    if (user === null) throw new Error('no such user')
    return openSession(needs, user, client)
  }
  const ask = (credentials: Partial<Credentials>) =>
    recogniseSession(needs, {
      header: undefined,
      cookies: [],
      query: undefined,
      place: { kind: 'raw', path: root },
      use: 'once',
      cookieCounts: true,
      ...credentials,
    })
  /** The id of the session that credentials lead to, as a test's word for it. */
  const whose = async (credentials: Partial<Credentials>, known: Readonly<Record<string, OpenedSession>>) => {
    const found = await ask(credentials)
    return Object.keys(known).find((name) => known[name]?.session.id === found?.session.id) ?? null
  }
  return { clock, needs, open, ask, whose, ...records }
}

test('a session has a token, a cookie that is nothing else, and an id that is neither', async () => {
  const { open, ask, clock } = await world()
  const { token, cookie, session } = await open()
  expect(token.split('.')).toHaveLength(3)
  expect(cookie).toMatch(/^[\w-]{43}$/)
  expect(session).toMatchObject({ userId: 1, ...client, endsAtMs: clock.nowMs() + 720 * hourMs })
  expect([token.includes(cookie), token.includes(session.id)]).toEqual([false, false])
  expect(await ask({ header: token })).toMatchObject({
    session,
    user: { username: 'ann' },
    shouldRenew: false,
  })
  expect(await ask({ header: session.id })).toBe(null)
  expect(await ask({ header: cookie })).toBe(null)
  expect(await ask({ cookies: [session.id] })).toBe(null)
})

test('whose password was changed while the old one was checked gets no session', async () => {
  const { needs, users, sessions, clock } = await world()
  const judged = await users.find(1)
  if (judged === null) throw new Error('no such user')
  await users.rehash(1, { from: judged.passwordHash, to: 'another hash of it' })
  await openSession(needs, judged, client)
  clock.pass(1000)
  await users.update(1, { singleClick: true })
  const known = await users.find(1)
  if (known === null) throw new Error('no such user')
  await openSession(needs, known, client)
  clock.pass(1000)
  await users.update(1, { passwordHash: 'of another password' })
  await sessions.endAllOf(1)
  await expect(openSession(needs, known, client)).rejects.toMatchObject({ code: 'login-failed' })
  expect(await sessions.listOf(1)).toEqual([])
})

test('who is removed while logging in or renewing gets neither a session nor a token', async () => {
  const { needs, users, open } = await world()
  const [known, { session }] = [await users.find(1), await open()]
  if (known === null) throw new Error('no such user')
  await users.remove(1)
  await expect(openSession(needs, known, client)).rejects.toMatchObject({ code: 'login-failed' })
  await expect(renewToken(needs, known, session)).rejects.toMatchObject({ code: 'not-signed-in' })
})

test('which of the credentials counts', async () => {
  const { open, whose } = await world()
  const [a, b, c] = [await open(), await open(2), await open()]
  const known = { a, b, c }
  const cases: readonly (readonly [Partial<Credentials>, string | null])[] = [
    [{ header: a.token, cookies: [b.cookie], query: c.token }, 'a'],
    [{ header: 'x.y.z', cookies: [b.cookie], query: c.token }, null],
    [{ header: 'null', cookies: [b.cookie], query: c.token }, 'b'],
    [{ header: 'a.b', query: c.token }, 'c'],
    [{ header: 'a.b.c.d', query: c.token }, 'c'],
    [{ cookies: [b.cookie], cookieCounts: false }, null],
    [{ cookies: [b.cookie], query: c.token, cookieCounts: false }, 'c'],
    [{ cookies: [b.token] }, 'b'],
    [{ cookies: [b.cookie, b.token, b.cookie] }, 'b'],
    [{ cookies: [a.cookie, b.cookie] }, null],
    [{ cookies: [a.cookie, c.cookie] }, null],
    [{ cookies: ['', 'rubbish', 'x.y.z', b.cookie] }, 'b'],
    [{ query: 'rubbish' }, null],
    [{ query: c.cookie }, null],
    [{}, null],
  ]
  for (const [credentials, expected] of cases)
    expect([credentials, await whose(credentials, known)]).toEqual([credentials, expected])
})

test('each renewal is a new token, and those before it stay good to their own end', async () => {
  const { clock, open, ask, needs } = await world()
  const { token, session } = await open()
  clock.pass(hourMs)
  const user = (await ask({ header: token }))!.user
  const [second, third] = [await renewToken(needs, user, session), await renewToken(needs, user, session)]
  expect(new Set([token, second, third]).size).toBe(3)
  expect(verifyToken(needs.key, second, clock.nowMs())).toMatchObject({ exp: clock.nowMs() / 1000 + 7200 })
  for (const good of [token, second, third])
    expect((await ask({ header: good }))?.session.id).toBe(session.id)
  clock.pass(hourMs)
  expect([await ask({ header: token }), (await ask({ header: second }))?.session.id]).toEqual([
    null,
    session.id,
  ])
  await endSession(needs, session.id)
  for (const dead of [second, third]) expect(await ask({ header: dead })).toBe(null)
})

test('nothing makes a session last longer than 30 days, neither use nor a longer time without', async () => {
  const dayMs = 24 * hourMs
  const { clock, ask, needs, users } = await world()
  const patient = { ...needs, lifetimeMs: 90 * dayMs }
  const user = (await users.find(1))!
  const { token, cookie, session } = await openSession(patient, user, client)
  expect(verifyToken(needs.key, token, clock.nowMs())?.exp).toBe((clock.nowMs() + 30 * dayMs) / 1000)
  clock.pass(29 * dayMs)
  const [found, renewed] = [await ask({ header: token }), await renewToken(patient, user, session)]
  expect([found?.shouldRenew, (await ask({ cookies: [cookie] }))?.session.id]).toEqual([true, session.id])
  clock.pass(dayMs)
  expect([await ask({ header: renewed }), await ask({ cookies: [cookie] })]).toEqual([null, null])
})

test('a token asks to be renewed when half of its time is over; a cookie never does', async () => {
  const { clock, open, ask } = await world()
  const { token, cookie } = await open()
  clock.pass(hourMs)
  expect((await ask({ header: token }))?.shouldRenew).toBe(false)
  clock.pass(1)
  expect([
    (await ask({ header: token }))?.shouldRenew,
    (await ask({ cookies: [cookie] }))?.shouldRenew,
  ]).toEqual([true, false])
})

test('a token asks to be renewed after its user was changed, in whole seconds', async () => {
  const { clock, open, ask, users } = await world()
  const { token } = await open()
  clock.pass(999)
  await users.update(1, { locale: 'de' })
  expect(await ask({ header: token })).toMatchObject({ shouldRenew: false, user: { locale: 'de' } })
  clock.pass(1)
  await users.update(1, { locale: 'fr' })
  expect((await ask({ header: token }))?.shouldRenew).toBe(true)
})

test('use keeps a session alive, written at most once a minute', async () => {
  const { clock, open, ask } = await world()
  const { cookie, session } = await open()
  clock.pass(59_999)
  expect((await ask({ cookies: [cookie] }))?.session.seenAtMs).toBe(session.seenAtMs)
  clock.pass(1)
  expect((await ask({ cookies: [cookie] }))?.session.seenAtMs).toBe(clock.nowMs())
  for (let hours = 0; hours < 719; hours += 1) {
    clock.pass(hourMs)
    expect(await ask({ cookies: [cookie] })).not.toBe(null)
  }
  clock.pass(hourMs)
  expect(await ask({ cookies: [cookie] })).toBe(null)
})

test('where its use cannot be kept, on a full disk, it is good as long as it was', async () => {
  const { clock, needs, open } = await world()
  const { cookie, session } = await open()
  clock.pass(hourMs)
  const found = await recogniseSession(
    {
      ...needs,
      sessions: { ...needs.sessions, touch: async () => Promise.reject(new AppError('no-space')) },
    },
    {
      header: undefined,
      cookies: [cookie],
      query: undefined,
      place: { kind: 'raw', path: root },
      use: 'once',
      cookieCounts: true,
    },
  )
  expect(found?.session).toEqual(session)
})

test('two hours without use end it', async () => {
  const { clock, open, ask } = await world()
  const { cookie } = await open()
  clock.pass(2 * hourMs)
  expect(await ask({ cookies: [cookie] })).toBe(null)
})

test.each([
  ['is disabled', (it: World) => it.users.update(1, { isDisabled: true })],
  ['is removed', (it: World) => it.users.remove(1)],
  ['loses all sessions', (it: World) => endSessionsOf(it.needs, 1)],
] as const)('a session whose user %s is none', async (_case, act) => {
  const it = await world()
  const { token, cookie } = await it.open()
  await act(it)
  expect([await it.ask({ header: token }), await it.ask({ cookies: [cookie] })]).toEqual([null, null])
})

type World = Awaited<ReturnType<typeof world>>

test('what runs under a session is told of its end, once', async () => {
  const { needs, open } = await world()
  const [a, b] = [await open(), await open()]
  const told: string[] = []
  needs.ends.onEnd(a.session.id, () => told.push('a'))
  needs.ends.onEnd(b.session.id, () => told.push('b'))
  const stop = needs.ends.onEnd(a.session.id, () => told.push('not listening'))
  stop()
  await endSessionsOf(needs, 1, b.session.id)
  await endSession(needs, a.session.id)
  expect(told).toEqual(['a'])
})

test('the twenty-first session ends the one that was used least, and whoever listens hears it', async () => {
  const { clock, needs, open, ask } = await world()
  const first = await open()
  let isTold = false
  needs.ends.onEnd(first.session.id, () => (isTold = true))
  for (let n = 0; n < 20; n += 1) {
    clock.pass(1000)
    await open()
  }
  expect([isTold, await ask({ header: first.token })]).toEqual([true, null])
})

test('an end that another process made is heard at the next sweep', async () => {
  const { needs, open, sessions } = await world()
  const [a, b] = [await open(), await open()]
  const told: string[] = []
  needs.ends.onEnd(a.session.id, () => told.push('a'))
  needs.ends.onEnd(b.session.id, () => told.push('b'))
  await needs.ends.sweep(sessions)
  expect(told).toEqual([])
  await sessions.end(a.session.id)
  await needs.ends.sweep(sessions)
  expect(told).toEqual(['a'])
})

test('one that is left alone too long ends for who listens, and for who runs under it when all are ended', async () => {
  const { needs, open, sessions, clock } = await world()
  const [a, b] = [await open(), await open()]
  const told: string[] = []
  needs.ends.onEnd(a.session.id, () => told.push('a listens'))
  needs.ends.watch({
    running: () => [b.session.id],
    ended: (ids) => void (ids.has(b.session.id) && told.push('b runs')),
  })
  clock.pass(hourMs - 1)
  await needs.ends.sweep(sessions)
  expect(told).toEqual([])
  clock.pass(needs.lifetimeMs)
  await needs.ends.sweep(sessions)
  expect(told).toEqual(['a listens'])
  await endSessionsOf(needs, 1)
  expect(told).toEqual(['a listens', 'b runs'])
})

test('what a stranger says of the browser is cut and cleaned', async () => {
  const { needs, users } = await world()
  const ann = (await users.find(1))!
  const { session } = await openSession(needs, ann, { address: '::1', agent: `a\0b\n${'x'.repeat(9999)}` })
  expect([session.agent.slice(0, 5), session.agent.length]).toEqual(['a b x', 256])
})
