import { expect, onTestFinished, test } from 'vitest'
import {
  adminPermissions,
  createClock,
  shareFields,
  testRecords,
  userFields,
} from '../../../test/kit/records.ts'
import type { AccessRule } from '../../shared/domain/access.ts'
import { isDatabaseUrl } from '../../shared/domain/database-url.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import { openRecords } from './open-records.ts'
import type { InitialRecords, ServerRecords } from './port.ts'

const clock = createClock()
/** The number of times that each race is repeated, because concurrent operations may succeed by chance. */
const rounds = 10
const testPath = (text: string): Path => pathOf(text) ?? expect.fail(text)

/**
 * Opens a PostgreSQL database twice, as two servers would. An SQLite database is opened only once: a connection that
 * waits for a lock blocks the thread, and with it the connection that would have to release the lock.
 */
async function twoServers() {
  const one = await testRecords(clock)
  if (!isDatabaseUrl(one.database)) return { one, two: one }
  const two = await openRecords({ database: one.database, nowMs: clock.nowMs })
  onTestFinished(() => two.close())
  // The connections are opened here, because connecting takes longer than the operations that are to run concurrently.
  await Promise.all([one, two, one, two].map((records) => records.ping()))
  return { one, two }
}

/** Returns the number of calls that succeeded, and the codes of those that failed. */
async function countOutcomes(attempts: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(attempts)
  const refused = settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  return { done: settled.length - refused.length, codes: refused.map(({ code }) => code) }
}

const openSession = ({ sessions }: ServerRecords, n: number, userId = 1) =>
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
  ['removed', (records: ServerRecords, id: number) => records.users.remove(id)],
  ['disabled', (records: ServerRecords, id: number) => records.users.update(id, { isDisabled: true })],
])('one administrator remains when the last two are %s concurrently', async (_case, removeAdmin) => {
  const { one, two } = await twoServers()
  const admins = async () =>
    (await one.users.list()).filter(({ isDisabled }) => !isDisabled).map(({ id }) => id)
  await one.users.add(userFields({ username: 'ada', perm: adminPermissions }))
  for (let round = 0; round < rounds; round += 1) {
    await one.users.add(userFields({ username: `eve ${round}`, perm: adminPermissions }))
    const [first = 0, second = 0] = await admins()
    expect(await countOutcomes([removeAdmin(one, first), removeAdmin(two, second)])).toEqual({
      done: 1,
      codes: ['forbidden'],
    })
    expect(await admins()).toHaveLength(1)
  }
})

const want = (records: ServerRecords, username: string) => records.users.add(userFields({ username }))

test('of several concurrent users with the same name, only one is stored', async () => {
  const { one, two } = await twoServers()
  const attempts = [want(one, 'ann'), want(two, 'ANN'), want(one, 'Ann'), want(two, 'ann')]
  expect(await countOutcomes(attempts)).toEqual({
    done: 1,
    codes: ['name-taken', 'name-taken', 'name-taken'],
  })
  expect(await one.users.list()).toHaveLength(1)
})

test('thirty concurrent logins of one user do not exceed the limit on sessions', async () => {
  const { one, two } = await twoServers()
  await one.users.add(userFields({ username: 'ann' }))
  const numbers = Array.from({ length: 30 }, (_, n) => n)
  const ended = await Promise.all(numbers.map((n) => openSession(n % 2 ? one : two, n)))
  const living = await one.sessions.listOf(1)
  expect([living.length, ended.flat().length]).toEqual([limits.sessionsPerUser, 30 - limits.sessionsPerUser])
  const known = new Set(living.map(({ id }) => id))
  expect(ended.flat().filter((id) => known.has(id))).toEqual([])
})

test('a user who logs in while all sessions are ended keeps only the new session or no session', async () => {
  const { one, two } = await twoServers()
  await one.users.add(userFields({ username: 'ann' }))
  await openSession(one, 1)
  const [ended] = await Promise.all([two.sessions.endAllOf(1), openSession(one, 2)])
  const living = (await one.sessions.listOf(1)).map(({ id }) => id)
  expect([...ended, ...living].toSorted()).toEqual(['s1', 's2'])
  expect(living).not.toContain('s1')
})

test('two administrators who change the same settings concurrently both succeed', async () => {
  const { one, two } = await twoServers()
  for (let round = 0; round < rounds; round += 1) {
    const isOn = round % 2 === 0
    const changing = [
      one.settings.change({ signup: isOn, hideLoginButton: isOn, createUserDir: isOn }),
      two.settings.change({ createUserDir: isOn, hideLoginButton: isOn, signup: isOn }),
    ]
    expect(await countOutcomes(changing)).toEqual({ done: 2, codes: [] })
    expect(await two.settings.get()).toMatchObject({
      signup: isOn,
      hideLoginButton: isOn,
      createUserDir: isOn,
    })
  }
})

const ruleAt = (path: string): AccessRule => ({ regex: false, allow: false, path, regexp: null })
const withRule =
  (path: string) =>
  ({ rules }: { readonly rules: readonly AccessRule[] }) => ({ rules: [...rules, ruleAt(path)] })
const pathsOf = (rules: readonly AccessRule[] = []) => rules.map(({ path }) => path).toSorted()

test('concurrent additions to lists and changes of other settings are all stored', async () => {
  const { one, two } = await twoServers()
  await one.users.add(userFields({ username: 'ann' }))
  const paths = Array.from({ length: rounds }, (_, n) => `/${n}`)
  const changing = paths.flatMap((path, n) => {
    const { settings, users } = n % 2 ? one : two
    return [
      settings.changeBy(withRule(path)),
      users.updateBy(1, withRule(path)),
      settings.change({ trash: false }),
    ]
  })
  expect(await countOutcomes(changing)).toEqual({ done: changing.length, codes: [] })
  const { rules, trash } = await two.settings.get()
  expect([pathsOf(rules), pathsOf((await two.users.find(1))?.rules), trash]).toEqual([paths, paths, false])
})

test('a change that throws for the stored value changes nothing, and the next change succeeds', async () => {
  const { one } = await twoServers()
  const refused = one.settings.changeBy(() => {
    throw new AppError('not-found')
  })
  expect(await countOutcomes([refused, one.settings.changeBy(withRule('/a'))])).toEqual({
    done: 1,
    codes: ['not-found'],
  })
  expect(pathsOf((await one.settings.get()).rules)).toEqual(['/a'])
})

const first = (n: number): InitialRecords => ({
  user: userFields({ username: 'admin', passwordHash: `hash ${n}`, perm: adminPermissions }),
  settings: {},
  server: {},
  key: new Uint8Array(64).fill(n),
})

test('only one of several concurrent first starts creates the first user', async () => {
  const { one, two } = await twoServers()
  const done = await Promise.all([one, two, one, two].map((records, n) => records.setUp(first(n))))
  expect(done.filter(Boolean)).toHaveLength(1)
  const winner = done.indexOf(true)
  expect((await one.users.list()).map(({ passwordHash }) => passwordHash)).toEqual([`hash ${winner}`])
  expect(await two.settings.key()).toEqual(first(winner).key)
})

test('two servers store failed logins and uploads concurrently', async () => {
  const { one, two } = await twoServers()
  const failure = { resetAtMs: null, atMs: [clock.nowMs()], windowMs: 1000, maxTimes: 20 }
  const rows = ['a', 'b', 'c'].map((key) => ({ key, ...failure }))
  const upload = {
    userId: 1,
    path: testPath('/a'),
    sizeBytes: 1,
    overwrite: 'create',
    isDone: false,
    touchedAtMs: 1,
    modifiedMs: null,
  } as const
  const attempts = Array.from({ length: 10 }, (_, n) => [
    (n % 2 ? one : two).throttles.count(n % 2 ? rows : rows.toReversed()),
    (n % 2 ? one : two).uploads.put({ ...upload, token: `t${n}` }),
  ])
  expect(await countOutcomes(attempts.flat())).toEqual({ done: 20, codes: [] })
  expect([(await one.throttles.timesOf('b')).length, (await one.uploads.list()).length]).toEqual([10, 1])
})

const shareAt = (path: string) => shareFields({ hash: path, path: testPath(path), kind: 'file' })

test('two servers together give no more places for files of guests than a share allows', async () => {
  const { one, two } = await twoServers()
  await one.users.add(userFields({ username: 'ann' }))
  const share = { ...shareAt('/a'), kind: 'folder', mode: 'upload-only', maxFiles: 4, maxBytes: 7 } as const
  await one.shares.add(share)
  const place = { shareHash: share.hash, uploadId: '', guest: '', note: '', sizeBytes: 2 }
  const reservations = Array.from({ length: 10 }, async (_, n) => {
    const { receivedFiles } = n % 2 ? one : two
    await receivedFiles.begin({ ...place, id: `${n}` })
    return receivedFiles.reserve({ ...place, id: `${n}` }, clock.nowMs() + 1000)
  })
  const results = await Promise.all(reservations)
  expect(results.filter((result) => result === 'reserved')).toHaveLength(3)
})

test('two servers together allow no more downloads than a share, lose no counts, and give an alias to one share', async () => {
  const { one, two } = await twoServers()
  await one.users.add(userFields({ username: 'ann' }))
  await one.users.add(userFields({ username: 'bea' }))
  await one.shares.add({ ...shareAt('/a'), maxDownloads: 7 })
  const downloads = Array.from({ length: 20 }, (_, n) =>
    (n % 2 ? one : two).shares.takeDownload('/a', { client: `${n}`, isFromStart: n % 3 > 0 }),
  )
  expect((await Promise.all(downloads)).filter(Boolean)).toHaveLength(7)
  // The parts of one client that begins in the middle count once, whichever is decided first.
  await one.shares.add({ ...shareAt('/b'), maxDownloads: 3 })
  const parts = Array.from({ length: 10 }, (_, n) =>
    (n % 2 ? one : two).shares.takeDownload('/b', { client: 'same', isFromStart: false }),
  )
  expect(await Promise.all(parts)).toEqual(parts.map(() => true))
  expect((await one.shares.find('/b'))?.downloads).toBe(1)

  const uses = ['/a', '/b'].map((hash) => ({ hash, visits: 1, downloads: 0 }))
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      (n % 2 ? one : two).shareUses.count(n % 2 ? uses : uses.toReversed()),
    ),
  )
  expect(await one.shareUses.of('/a')).toEqual({ visits: 10, downloads: 7 })

  const withAlias = Array.from({ length: 10 }, (_, n) =>
    (n % 2 ? one : two).shares.add({ ...shareAt(`/c${n}`), userId: 1 + (n % 2), alias: 'one-address' }),
  )
  expect((await countOutcomes(withAlias)).done).toBe(1)
})

test('shares follow two concurrent moves as if one move followed the other', async () => {
  const { one, two } = await twoServers()
  await one.users.add(userFields({ username: 'ann' }))
  for (let round = 0; round < rounds; round += 1) {
    for (const path of ['/a/x', '/b/y']) await one.shares.add(shareAt(path))
    const following = [
      one.shares.followMove({ from: testPath('/a'), to: testPath('/b'), isNew: true }),
      two.shares.followMove({ from: testPath('/b'), to: testPath('/c'), isNew: true }),
    ]
    expect(await countOutcomes(following)).toEqual({ done: 2, codes: [] })
    const left = (await one.shares.list()).map(({ hash, path }) => `${hash} is ${path}`).toSorted()
    expect([['/a/x is /c/x'], ['/a/x is /b/x', '/b/y is /c/y']]).toContainEqual(left)
    await one.shares.endWithin(testPath('/'))
  }
})

test('visits of links are counted while another server ends all links of the folder', async () => {
  const { one, two } = await twoServers()
  await one.users.add(userFields({ username: 'ann' }))
  for (let round = 0; round < rounds; round += 1) {
    const hashes = Array.from({ length: 30 }, (_, n) => `/f/${n}`)
    await one.shares.addAll(hashes.map(shareAt))
    const uses = hashes.map((hash) => ({ hash, visits: 1, downloads: 0 }))
    const counting = Array.from({ length: 20 }, () => one.shareUses.count(uses))
    await Promise.race(counting)
    expect(await countOutcomes([...counting, two.shares.endWithin(testPath('/f'))])).toEqual({
      done: counting.length + 1,
      codes: [],
    })
    expect(await one.shares.list()).toEqual([])
  }
})
