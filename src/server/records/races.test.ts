import { expect, onTestFinished, test } from 'vitest'
import { adminRights, createClock, testRecords, userFields } from '../../../test/kit/records.ts'
import { isDatabaseAddress } from '../../shared/domain/database-address.ts'
import { limits } from '../../shared/domain/limits.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import { defaultSettings } from './default-settings.ts'
import { openRecords } from './open-records.ts'
import type { FirstState, Records } from './port.ts'

const clock = createClock()
const at = (text: string): Path => pathOf(text) ?? expect.fail(text)

/**
 * Two servers on one database. A file has one here: waiting for the lock of another stops the whole thread, the other one included
 * if it is of the same process.
 */
async function twoServers() {
  const one = await testRecords(clock)
  if (!isDatabaseAddress(one.database)) return { one, two: one }
  const two = await openRecords({ database: one.database, nowMs: clock.nowMs })
  onTestFinished(() => two.close())
  return { one, two }
}

/** How many succeeded, and the codes of those that did not. */
async function outcomes(attempts: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(attempts)
  const refused = settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  return { done: settled.length - refused.length, codes: refused.map(({ code }) => code) }
}

const openSession = ({ sessions }: Records, n: number, userId = 1) =>
  sessions.add({
    id: `s${n}`,
    userId,
    createdAtMs: clock.nowMs(),
    seenAtMs: clock.nowMs() + n,
    idleUntilMs: clock.nowMs() + 1000,
    endsAtMs: clock.nowMs() + 1000,
    agent: '',
    address: '',
    cookieDigest: `c${n}`,
    token: { jtiDigest: `t${n}`, expiresAtMs: clock.nowMs() + 1000 },
  })

test.each([
  ['removed', (records: Records, id: number) => records.users.remove(id)],
  ['disabled', (records: Records, id: number) => records.users.update(id, { isDisabled: true })],
])('of the last two administrators one stays, however both are %s at once', async (_case, go) => {
  const { one, two } = await twoServers()
  for (const username of ['ada', 'eve']) await one.users.add(userFields({ username, perm: adminRights }))
  expect(await outcomes([go(one, 1), go(two, 2)])).toEqual({ done: 1, codes: ['forbidden'] })
  expect((await one.users.list()).filter(({ isDisabled }) => !isDisabled)).toHaveLength(1)
})

const want = (records: Records, username: string) => records.users.add(userFields({ username }))

test('of several people who want one name at once one gets it', async () => {
  const { one, two } = await twoServers()
  const attempts = [want(one, 'ann'), want(two, 'ANN'), want(one, 'Ann'), want(two, 'ann')]
  expect(await outcomes(attempts)).toEqual({ done: 1, codes: ['name-taken', 'name-taken', 'name-taken'] })
  expect(await one.users.list()).toHaveLength(1)
})

test('a person who logs in thirty times at once has as many sessions as anybody may have', async () => {
  const { one, two } = await twoServers()
  await one.users.add(userFields({ username: 'ann' }))
  const numbers = Array.from({ length: 30 }, (_, n) => n)
  const ended = await Promise.all(numbers.map((n) => openSession(n % 2 ? one : two, n)))
  const living = await one.sessions.listOf(1)
  expect([living.length, ended.flat().length]).toEqual([limits.sessionsPerUser, 30 - limits.sessionsPerUser])
  const known = new Set(living.map(({ id }) => id))
  expect(ended.flat().filter((id) => known.has(id))).toEqual([])
})

test('who logs in while all of their sessions end keeps the new one whole or not at all', async () => {
  const { one, two } = await twoServers()
  await one.users.add(userFields({ username: 'ann' }))
  await openSession(one, 1)
  const [ended] = await Promise.all([two.sessions.endAllOf(1), openSession(one, 2)])
  const living = (await one.sessions.listOf(1)).map(({ id }) => id)
  expect([...ended, ...living].toSorted()).toEqual(['s1', 's2'])
  expect(living).not.toContain('s1')
})

const branding = (name: string) => ({ branding: { ...defaultSettings.branding, name } })

test('two administrators who change settings at once undo each other in nothing', async () => {
  const { one, two } = await twoServers()
  await Promise.all([
    one.settings.change({ signup: true, ...branding('one') }),
    two.settings.change({ ...branding('two'), createUserDir: true }),
  ])
  const now = await one.settings.get()
  expect([now.signup, now.createUserDir, ['one', 'two'].includes(now.branding.name)]).toEqual([
    true,
    true,
    true,
  ])
})

const first = (n: number): FirstState => ({
  user: userFields({ username: 'admin', passwordHash: `hash ${n}`, perm: adminRights }),
  settings: {},
  server: {},
  key: new Uint8Array(64).fill(n),
})

test('of several first starts at once one makes the first user', async () => {
  const { one, two } = await twoServers()
  const done = await Promise.all([one, two, one, two].map((records, n) => records.setUp(first(n))))
  expect(done.filter(Boolean)).toHaveLength(1)
  const winner = done.indexOf(true)
  expect((await one.users.list()).map(({ passwordHash }) => passwordHash)).toEqual([`hash ${winner}`])
  expect(await two.settings.key()).toEqual(first(winner).key)
})

test('failed logins and uploads are noted by two servers at once', async () => {
  const { one, two } = await twoServers()
  const rows = ['a', 'b', 'c'].map((key) => ({ key, fails: 1, untilMs: clock.nowMs() + 1000 }))
  const upload = {
    userId: 1,
    path: at('/a'),
    sizeBytes: 1,
    overwrite: 'create',
    isDone: false,
    touchedAtMs: 1,
  } as const
  const attempts = Array.from({ length: 10 }, (_, n) => [
    (n % 2 ? one : two).throttles.save(n % 2 ? rows : rows.toReversed()),
    (n % 2 ? one : two).uploads.put({ ...upload, token: `t${n}` }),
  ])
  expect(await outcomes(attempts.flat())).toEqual({ done: 20, codes: [] })
  expect([(await one.throttles.load()).length, (await one.uploads.list()).length]).toEqual([3, 1])
})

test('shares follow two moves at once into one of the places that they can end in', async () => {
  const { one, two } = await twoServers()
  await one.users.add(userFields({ username: 'ann' }))
  await one.shares.add({
    hash: 'h',
    userId: 1,
    path: at('/a/x'),
    kind: 'file',
    passwordHash: null,
    tokenDigest: null,
    expiresAtSeconds: null,
    availableFromSeconds: null,
    createdAtMs: 1,
  })
  await Promise.all([
    one.shares.follow({ from: at('/a'), to: at('/b'), isNew: true }),
    two.shares.follow({ from: at('/b'), to: at('/c'), isNew: true }),
  ])
  expect(['/b/x', '/c/x']).toContain((await one.shares.find('h'))?.path)
})
