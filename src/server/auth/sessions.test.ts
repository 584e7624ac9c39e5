import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../shared/domain/failure.ts'
import { root } from '../../shared/domain/path.ts'
import { sessionDependenciesOf } from '../../../test/kit/login.ts'
import { createClock, testRecords, userFields } from '../../../test/kit/records.ts'
import { createSessionToucher } from './session-touch.ts'
import { recogniseSession, type SessionCredentials } from './recognise-session.ts'
import {
  endSession,
  endUserSessions,
  openSession,
  removeWithSessions,
  renewToken,
  updateWithSessions,
  type OpenedSession,
} from './sessions.ts'
import { verifyToken } from './tokens.ts'

const hourMs = 3_600_000
const client = { address: '192.0.2.1', agent: 'a browser' }

async function createSessionTestContext() {
  const clock = createClock()
  const records = await testRecords(clock)
  for (const username of ['ann', 'bea']) await records.users.add(userFields({ username }))
  const dependencies = sessionDependenciesOf(records, clock)
  const open = async (userId = 1) => {
    const user = await records.users.find(userId)
    if (user === null) throw new Error('no such user')
    return openSession(dependencies, user, client)
  }
  const ask = (credentials: Partial<SessionCredentials>) =>
    recogniseSession(dependencies, {
      header: undefined,
      cookies: [],
      query: undefined,
      target: { kind: 'raw', path: root },
      use: 'once',
      acceptsCookie: true,
      ...credentials,
    })
  /** Returns the name in `known` of the session that belongs to the credentials. */
  const sessionNameOf = async (
    credentials: Partial<SessionCredentials>,
    known: Readonly<Record<string, OpenedSession>>,
  ) => {
    const found = await ask(credentials)
    return Object.keys(known).find((name) => known[name]?.session.id === found?.session.id) ?? null
  }
  return { clock, dependencies, open, ask, whose: sessionNameOf, ...records }
}

test('the token, the cookie and the id of a session are unrelated', async () => {
  const { open, ask, clock } = await createSessionTestContext()
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

test('a login gets no session when the password was changed while the old one was checked', async () => {
  const { dependencies, users, sessions, clock } = await createSessionTestContext()
  const judged = await users.find(1)
  if (judged === null) throw new Error('no such user')
  await users.rehash(1, { from: judged.passwordHash, to: 'another hash of it' })
  await openSession(dependencies, judged, client)
  clock.advance(1000)
  await users.update(1, { singleClick: true })
  const known = await users.find(1)
  if (known === null) throw new Error('no such user')
  await openSession(dependencies, known, client)
  clock.advance(1000)
  await users.update(1, { passwordHash: 'of another password' })
  await sessions.endAllOf(1)
  await expect(openSession(dependencies, known, client)).rejects.toMatchObject({ code: 'login-failed' })
  expect(await sessions.listOf(1)).toEqual([])
})

const accountChanges = [
  ['was disabled', (it: SessionTestContext) => updateWithSessions(it.dependencies, 1, { isDisabled: true })],
  ['was removed', (it: SessionTestContext) => removeWithSessions(it.dependencies, 1)],
  ['got another password', (it: SessionTestContext) => setPassword(it)],
] as const

/** Changes a password as the operation of the API does. Two hashes are never equal, because each has its own salt. */
async function setPassword({ dependencies, users }: SessionTestContext): Promise<void> {
  await users.update(1, { passwordHash: `of another password, with the salt ${randomUUID()}` })
  await endUserSessions(dependencies, 1)
}

/** Opens a session, which is stored immediately before or after a change of the account. */
async function openDuring(
  it: SessionTestContext,
  stored: 'before' | 'after',
  change: () => Promise<unknown>,
) {
  const { dependencies, users } = it
  const judged = await users.find(1)
  if (judged === null) throw new Error('no such user')
  const add: typeof dependencies.sessions.add = async (session) => {
    if (stored === 'after') await change()
    const ended = await dependencies.sessions.add(session)
    if (stored === 'before') await change()
    return ended
  }
  return openSession({ ...dependencies, sessions: { ...dependencies.sessions, add } }, judged, client)
}

describe.each(['before', 'after'] as const)('a login whose session is stored', (stored) => {
  test.each(accountChanges)(`${stored} the account %s leaves no session`, async (_case, change) => {
    const it = await createSessionTestContext()
    // The clock stands still, so that the change happens in the same millisecond as an earlier one.
    await it.users.update(1, { singleClick: true })
    const opening = openDuring(it, stored, () => change(it))
    await expect(opening).rejects.toMatchObject({ code: 'login-failed' })
    if ((await it.users.find(1)) !== null) await it.users.update(1, { isDisabled: false })
    expect(await it.sessions.listOf(1)).toEqual([])
  })
})

test.each(accountChanges)(
  'no session of a user survives that is opened while the account %s',
  async (_case, change) => {
    const it = await createSessionTestContext()
    for (let turns = 0; turns < 10; turns += 1) {
      const user = await it.users.find(1)
      if (user === null) break
      const opening = Promise.allSettled([openSession(it.dependencies, user, client)])
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      await change(it)
      const [opened] = await opening
      if ((await it.users.find(1)) !== null) await it.users.update(1, { isDisabled: false })
      expect(await it.sessions.listOf(1)).toEqual([])
      const header = opened?.status === 'fulfilled' ? opened.value.token : undefined
      expect(await it.ask({ header })).toBe(null)
    }
  },
)

test('a user removed during login or renewal gets neither a session nor a token', async () => {
  const { dependencies, users, open } = await createSessionTestContext()
  const [known, { session }] = [await users.find(1), await open()]
  if (known === null) throw new Error('no such user')
  await users.remove(1)
  await expect(openSession(dependencies, known, client)).rejects.toMatchObject({ code: 'login-failed' })
  await expect(renewToken(dependencies, known, session)).rejects.toMatchObject({ code: 'not-signed-in' })
})

test('the header precedes the cookie, and the cookie precedes the query', async () => {
  const { open, whose } = await createSessionTestContext()
  const [a, b, c] = [await open(), await open(2), await open()]
  const known = { a, b, c }
  const cases: readonly (readonly [Partial<SessionCredentials>, string | null])[] = [
    [{ header: a.token, cookies: [b.cookie], query: c.token }, 'a'],
    [{ header: 'x.y.z', cookies: [b.cookie], query: c.token }, null],
    [{ header: 'null', cookies: [b.cookie], query: c.token }, 'b'],
    [{ header: 'a.b', query: c.token }, 'c'],
    [{ header: 'a.b.c.d', query: c.token }, 'c'],
    [{ cookies: [b.cookie], acceptsCookie: false }, null],
    [{ cookies: [b.cookie], query: c.token, acceptsCookie: false }, 'c'],
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

test('each renewal returns a new token, and earlier tokens stay valid until they expire', async () => {
  const { clock, open, ask, dependencies } = await createSessionTestContext()
  const { token, session } = await open()
  clock.advance(hourMs)
  const user = (await ask({ header: token }))!.user
  const [second, third] = [
    await renewToken(dependencies, user, session),
    await renewToken(dependencies, user, session),
  ]
  expect(new Set([token, second, third]).size).toBe(3)
  expect(verifyToken(dependencies.key, second, clock.nowMs())).toMatchObject({
    exp: clock.nowMs() / 1000 + 7200,
  })
  for (const good of [token, second, third])
    expect((await ask({ header: good }))?.session.id).toBe(session.id)
  clock.advance(hourMs)
  expect([await ask({ header: token }), (await ask({ header: second }))?.session.id]).toEqual([
    null,
    session.id,
  ])
  await endSession(dependencies, session.id)
  for (const dead of [second, third]) expect(await ask({ header: dead })).toBe(null)
})

test('a session lasts at most 30 days, however much it is used and however long it may be idle', async () => {
  const dayMs = 24 * hourMs
  const { clock, ask, dependencies, users } = await createSessionTestContext()
  const patient = { ...dependencies, lifetimeMs: 90 * dayMs }
  const user = (await users.find(1))!
  const { token, cookie, session } = await openSession(patient, user, client)
  expect(verifyToken(dependencies.key, token, clock.nowMs())?.exp).toBe((clock.nowMs() + 30 * dayMs) / 1000)
  clock.advance(29 * dayMs)
  const [found, renewed] = [await ask({ header: token }), await renewToken(patient, user, session)]
  expect([found?.shouldRenew, (await ask({ cookies: [cookie] }))?.session.id]).toEqual([true, session.id])
  clock.advance(dayMs)
  expect([await ask({ header: renewed }), await ask({ cookies: [cookie] })]).toEqual([null, null])
})

test('a token should be renewed after half of its lifetime; a cookie never', async () => {
  const { clock, open, ask } = await createSessionTestContext()
  const { token, cookie } = await open()
  clock.advance(hourMs)
  expect((await ask({ header: token }))?.shouldRenew).toBe(false)
  clock.advance(1)
  expect([
    (await ask({ header: token }))?.shouldRenew,
    (await ask({ cookies: [cookie] }))?.shouldRenew,
  ]).toEqual([true, false])
})

test('a token should be renewed after its user was changed, also in the second of its issue', async () => {
  const { clock, open, ask, users } = await createSessionTestContext()
  const { token } = await open()
  expect((await ask({ header: token }))?.shouldRenew).toBe(false)
  clock.advance(999)
  await users.update(1, { scope: '/other' })
  expect((await ask({ header: token }))?.shouldRenew).toBe(false)
  await users.update(1, { locale: 'de' })
  expect(await ask({ header: token })).toMatchObject({ shouldRenew: true, user: { locale: 'de' } })
})

test('a token should be renewed after a later change of its user, also of a field that it does not contain', async () => {
  const { clock, open, ask, users } = await createSessionTestContext()
  const { token } = await open()
  clock.advance(1000)
  await users.update(1, { scope: '/other' })
  expect((await ask({ header: token }))?.shouldRenew).toBe(true)
})

test('use keeps a session alive and is stored at most once a minute', async () => {
  const { clock, open, ask } = await createSessionTestContext()
  const { cookie, session } = await open()
  clock.advance(59_999)
  expect((await ask({ cookies: [cookie] }))?.session.seenAtMs).toBe(session.seenAtMs)
  clock.advance(1)
  expect((await ask({ cookies: [cookie] }))?.session.seenAtMs).toBe(clock.nowMs())
  for (let hours = 0; hours < 719; hours += 1) {
    clock.advance(hourMs)
    expect(await ask({ cookies: [cookie] })).not.toBe(null)
  }
  clock.advance(hourMs)
  expect(await ask({ cookies: [cookie] })).toBe(null)
})

test('on a full disk, where use cannot be stored, a session keeps its previous expiry', async () => {
  const { clock, dependencies, open } = await createSessionTestContext()
  const { cookie, session } = await open()
  clock.advance(hourMs)
  const found = await recogniseSession(
    {
      ...dependencies,
      touch: createSessionToucher({ touch: async () => Promise.reject(new AppError('no-space')) }),
    },
    {
      header: undefined,
      cookies: [cookie],
      query: undefined,
      target: { kind: 'raw', path: root },
      use: 'once',
      acceptsCookie: true,
    },
  )
  expect(found?.session).toEqual(session)
})

test('a session ends after two hours without use', async () => {
  const { clock, open, ask } = await createSessionTestContext()
  const { cookie } = await open()
  clock.advance(2 * hourMs)
  expect(await ask({ cookies: [cookie] })).toBe(null)
})

test.each([
  ['is disabled', (it: SessionTestContext) => it.users.update(1, { isDisabled: true })],
  ['is removed', (it: SessionTestContext) => it.users.remove(1)],
  ['loses all sessions', (it: SessionTestContext) => endUserSessions(it.dependencies, 1)],
] as const)('a session whose user %s is none', async (_case, act) => {
  const it = await createSessionTestContext()
  const { token, cookie } = await it.open()
  await act(it)
  expect([await it.ask({ header: token }), await it.ask({ cookies: [cookie] })]).toEqual([null, null])
})

type SessionTestContext = Awaited<ReturnType<typeof createSessionTestContext>>

test('listeners of a session are called once when it ends', async () => {
  const { dependencies, open } = await createSessionTestContext()
  const [a, b] = [await open(), await open()]
  const endings: string[] = []
  dependencies.ends.onEnd(a.session.id, () => endings.push('a'))
  dependencies.ends.onEnd(b.session.id, () => endings.push('b'))
  const stop = dependencies.ends.onEnd(a.session.id, () => endings.push('not listening'))
  stop()
  await endUserSessions(dependencies, 1, b.session.id)
  await endSession(dependencies, a.session.id)
  expect(endings).toEqual(['a'])
})

test('a user who is disabled loses the sessions, and their listeners are called', async () => {
  const { dependencies, open, ask, users } = await createSessionTestContext()
  const [a, b] = [await open(1), await open(2)]
  const endings: string[] = []
  dependencies.ends.onEnd(a.session.id, () => endings.push('a'))
  dependencies.ends.onEnd(b.session.id, () => endings.push('b'))
  await updateWithSessions(dependencies, 1, { locale: 'de' })
  expect([endings, await ask({ header: a.token })]).toMatchObject([[], { session: { id: a.session.id } }])
  await updateWithSessions(dependencies, 1, { isDisabled: true })
  expect([endings, await ask({ header: a.token })]).toEqual([['a'], null])
  expect(await users.find(1)).toMatchObject({ isDisabled: true, locale: 'de' })
})

test('the 21st session ends the least recently used one and calls its listeners', async () => {
  const { clock, dependencies, open, ask } = await createSessionTestContext()
  const first = await open()
  let isTold = false
  dependencies.ends.onEnd(first.session.id, () => (isTold = true))
  for (let n = 0; n < 20; n += 1) {
    clock.advance(1000)
    await open()
  }
  expect([isTold, await ask({ header: first.token })]).toEqual([true, null])
})

test('a session ended by another process is noticed at the next sweep', async () => {
  const { dependencies, open, sessions } = await createSessionTestContext()
  const [a, b] = [await open(), await open()]
  const endings: string[] = []
  dependencies.ends.onEnd(a.session.id, () => endings.push('a'))
  dependencies.ends.onEnd(b.session.id, () => endings.push('b'))
  await dependencies.ends.sweep(sessions)
  expect(endings).toEqual([])
  await sessions.end(a.session.id)
  await dependencies.ends.sweep(sessions)
  expect(endings).toEqual(['a'])
})

test('a session that expires by idling ends for its listeners; requests that run under it end only when it is ended explicitly', async () => {
  const { dependencies, open, sessions, clock } = await createSessionTestContext()
  const [a, b] = [await open(), await open()]
  const endings: string[] = []
  dependencies.ends.onEnd(a.session.id, () => endings.push('a listens'))
  dependencies.ends.watch({
    running: () => [b.session.id],
    ended: (ids) => void (ids.has(b.session.id) && endings.push('b runs')),
    endWithoutRights: async () => {},
  })
  clock.advance(hourMs - 1)
  await dependencies.ends.sweep(sessions)
  expect(endings).toEqual([])
  clock.advance(dependencies.lifetimeMs)
  await dependencies.ends.sweep(sessions)
  expect(endings).toEqual(['a listens'])
  await endUserSessions(dependencies, 1)
  expect(endings).toEqual(['a listens', 'b runs'])
})

test("the client's description of its browser is shortened and cleaned", async () => {
  const { dependencies, users } = await createSessionTestContext()
  const ann = (await users.find(1))!
  const { session } = await openSession(dependencies, ann, {
    address: '::1',
    agent: `a\0b\n${'x'.repeat(9999)}`,
  })
  expect([session.agent.slice(0, 5), session.agent.length]).toEqual(['a b x', 256])
})
