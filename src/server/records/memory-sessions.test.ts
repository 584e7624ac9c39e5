import { expect, test } from 'vitest'
import { createClock, testRecords, userFields } from '../../../test/kit/records.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { withMemorySessions } from './memory-sessions.ts'
import type { SessionRecord } from './session-store.ts'

const add = () => Promise.reject(new AppError('no-space'))

/** Opens records that store no session, as on a full disk, with the users ann and bea. */
async function openFullDisk() {
  const clock = createClock()
  const stored = await testRecords(clock)
  for (const username of ['ann', 'bea']) await stored.users.add(userFields({ username }))
  const records = withMemorySessions({ ...stored, sessions: { ...stored.sessions, add } }, clock.nowMs)
  const open = async (id: string, userId = 1): Promise<SessionRecord> => {
    const [atMs, hourMs] = [clock.nowMs(), 3_600_000]
    const times = {
      createdAtMs: atMs,
      seenAtMs: atMs,
      idleUntilMs: atMs + hourMs,
      endsAtMs: atMs + 9 * hourMs,
    }
    const session = { id, userId, agent: '', address: '', ...times }
    const token = { jtiDigest: `jti of ${id}`, expiresAtMs: atMs + hourMs }
    await records.sessions.add({ ...session, cookieDigest: `cookie of ${id}`, token })
    return session
  }
  return { clock, stored, ...records, open }
}

test('a session that cannot be stored is found, renewed and ended like any other', async () => {
  const { sessions, open, version } = await openFullDisk()
  const [a, b, other] = [await open('a'), await open('b'), await open('other', 2)]
  await sessions.addToken('a', { jtiDigest: 'renewed', expiresAtMs: a.idleUntilMs })
  expect([await sessions.findByJti('jti of a'), await sessions.findByJti('renewed')]).toEqual([a, a])
  expect([await sessions.findByCookie('cookie of b'), await sessions.findByCookie('none')]).toEqual([b, null])
  expect((await sessions.listOf(1)).map(({ id }) => id).toSorted()).toEqual(['a', 'b'])
  expect(await sessions.unended(['a', 'x'])).toEqual(new Set(['a']))
  const before = version?.()
  await sessions.end('a')
  // A database on a server has no version, because nothing of it is cached.
  expect([await sessions.findByJti('jti of a'), version !== null && version() === before]).toEqual([
    null,
    false,
  ])
  expect(await sessions.endAllOf(1)).toEqual(['b'])
  expect([await sessions.listOf(1), await sessions.findByJti('jti of other')]).toEqual([[], other])
})

test('a session in memory ends when it is idle, and when its user changes, whoever changes the user', async () => {
  const { clock, stored, sessions, open } = await openFullDisk()
  await open('a')
  await stored.users.update(1, { passwordHash: 'another hash' })
  expect(await sessions.findByJti('jti of a')).toBe(null)
  await open('b')
  await stored.users.update(1, { isDisabled: true })
  expect([await sessions.findByCookie('cookie of b'), await sessions.active(['b'])]).toEqual([
    null,
    new Set(),
  ])
  await open('c', 2)
  await sessions.touch('c', { seenAtMs: clock.nowMs(), idleUntilMs: clock.nowMs() + 5000 })
  clock.advance(5000)
  expect([await sessions.findByJti('jti of c'), await sessions.active(['c'])]).toEqual([null, new Set()])
  expect(await sessions.unended(['c'])).toEqual(new Set(['c']))
})

test('a user has at most twenty sessions in memory, and an unknown user has none', async () => {
  const { sessions, open } = await openFullDisk()
  for (let n = 0; n < 25; n += 1) await open(`${n}`)
  expect((await sessions.listOf(1)).map(({ id }) => Number(id))).toEqual(
    Array.from({ length: 20 }, (_, n) => n + 5),
  )
  await expect(open('x', 99)).rejects.toMatchObject({ code: 'no-space' })
})
