import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { sessionDependenciesOf } from '../../../test/kit/login.ts'
import { adminPermissions, createClock, testRecords, userFields } from '../../../test/kit/records.ts'
import { root } from '../../shared/domain/path.ts'
import { recogniseSession } from './recognise-session.ts'
import { endSession, endUserSessions } from './sessions.ts'

const hourMs = 3_600_000
const key = new Uint8Array(64).fill(7)

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns a token as File Browser signs it, without a jti. */
function originalToken({ id = 1, iatMs, expMs }: { id?: number; iatMs: number; expMs: number }): string {
  const claims = { user: { id }, exp: expMs / 1000, iat: iatMs / 1000, iss: 'File Browser' }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

async function createTakenOverContext({ isTakenOver = true } = {}) {
  const clock = createClock()
  const records = await testRecords(clock)
  for (const username of ['ann', 'bea']) await records.users.add(userFields({ username }))
  const takenOverAtMs = Math.ceil(clock.nowMs() / 1000) * 1000
  const dependencies = sessionDependenciesOf(records, {
    ...clock,
    key,
    acceptsTokensBeforeMs: isTakenOver ? takenOverAtMs : null,
  })
  const ask = (token: string) =>
    recogniseSession(dependencies, {
      header: token,
      cookies: [],
      query: undefined,
      target: { kind: 'raw', path: root },
      use: 'once',
      acceptsCookie: true,
    })
  const token = originalToken({ iatMs: takenOverAtMs - hourMs, expMs: takenOverAtMs + 100 * hourMs })
  return { clock, dependencies, ask, token, takenOverAtMs, ...records }
}

test('a token of File Browser opens one session, which lasts until the token expires', async () => {
  const { ask, token, sessions, clock, takenOverAtMs } = await createTakenOverContext()
  const found = await Promise.all([ask(token), ask(token), ask(token)])
  expect(new Set(found.map((one) => one?.session.id)).size).toBe(1)
  expect(found[0]).toMatchObject({
    user: { username: 'ann' },
    session: { endsAtMs: takenOverAtMs + 100 * hourMs, agent: 'File Browser' },
  })
  for (let hours = 0; hours < 90; hours += 30) {
    clock.advance(30 * hourMs)
    expect((await ask(token))?.session.id).toBe(found[0]?.session.id)
  }
  expect(await sessions.listOf(1)).toHaveLength(1)
  clock.advance(11 * hourMs)
  expect(await ask(token)).toBe(null)
})

test('a token of File Browser whose session was ended is never accepted again', async () => {
  const { ask, token, dependencies, clock } = await createTakenOverContext()
  const session = (await ask(token))?.session
  await endSession(dependencies, session?.id ?? '')
  expect(await ask(token)).toBe(null)
  clock.advance(99 * hourMs)
  expect(await ask(token)).toBe(null)
})

test('all sessions of a user end with tokens of File Browser that were never used', async () => {
  const { ask, token, dependencies, takenOverAtMs } = await createTakenOverContext()
  const unused = originalToken({ iatMs: takenOverAtMs - 2 * hourMs, expMs: takenOverAtMs + hourMs })
  const ofBea = originalToken({ id: 2, iatMs: takenOverAtMs - hourMs, expMs: takenOverAtMs + hourMs })
  const session = (await ask(token))?.session
  await endUserSessions(dependencies, 1, session?.id)
  expect((await ask(token))?.session.id).toBe(session?.id)
  expect(await ask(unused)).toBe(null)
  expect(await ask(ofBea)).not.toBe(null)
})

test('a token of File Browser that never expires opens a session', async () => {
  const { ask, takenOverAtMs } = await createTakenOverContext()
  const endless = originalToken({ iatMs: takenOverAtMs - hourMs, expMs: 1e18 })
  expect(await ask(endless)).not.toBe(null)
})

test('a token without jti is refused where nothing was taken over', async () => {
  const { ask, token, sessions } = await createTakenOverContext({ isTakenOver: false })
  expect([await ask(token), await sessions.listOf(1)]).toEqual([null, []])
})

test.each([
  ['issued after the takeover', { iatMs: 1000, expMs: hourMs }],
  ['that has expired', { iatMs: -3 * hourMs, expMs: -hourMs }],
  ['of nobody', { id: 9, iatMs: -hourMs, expMs: hourMs }],
])('a token %s is refused', async (_case, { iatMs, expMs, ...user }) => {
  const { ask, takenOverAtMs, clock } = await createTakenOverContext()
  clock.advance(60_000)
  const token = originalToken({ ...user, iatMs: takenOverAtMs + iatMs, expMs: takenOverAtMs + expMs })
  expect(await ask(token)).toBe(null)
})

test('a token of a disabled user is refused', async () => {
  const { ask, token, users } = await createTakenOverContext()
  await users.add(userFields({ username: 'ada', perm: adminPermissions }))
  await users.update(1, { isDisabled: true })
  expect(await ask(token)).toBe(null)
})
