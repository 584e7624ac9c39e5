import { placesWithin, type ShareRecord } from './share-store.ts'
import { expect, test } from 'vitest'
import { createClock, shareFields, testRecords, userFields } from '../../../test/kit/records.ts'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { sharedPathCharactersPerUser, sharesPerUser } from './shares.ts'
import { aliasesPerUser } from './shares/share-aliases.ts'

async function createShareStore() {
  const clock = createClock()
  const records = await testRecords(clock)
  for (const username of ['ann', 'bea']) await records.users.add(userFields({ username }))
  const nowSeconds = () => clock.nowMs() / 1000
  const add = (hash: string, fields: Partial<ShareRecord> = {}) =>
    records.shares.add(shareFields({ hash, createdAtMs: clock.nowMs(), ...fields }))
  const places = async () =>
    (await records.shares.list()).map(({ hash, path }) => `${hash} ${path}`).toSorted()
  return { ...records, clock, nowSeconds, add, places }
}

const testPath = (text: string): Path => pathOf(text) ?? root

test('a share is found by its exact hash', async () => {
  const { shares, add, clock } = await createShareStore()
  const path = testPath('/a b%_/\udc80.txt')
  const disk = { mountPoint: '/mnt/a disk/', inode: '256' }
  await add('AbC', {
    path,
    kind: 'file',
    passwordHash: 'x',
    tokenDigest: 'y',
    senderName: 'Anna 👩🏽',
    alias: 'of-the-share',
    maxDownloads: 3,
    tellsOfFiles: true,
    availableFromSeconds: 5,
    disk,
  })
  expect(await shares.find('AbC')).toEqual({
    hash: 'AbC',
    userId: 1,
    path,
    kind: 'file',
    passwordHash: 'x',
    tokenDigest: 'y',
    mode: 'download',
    maxFiles: null,
    maxBytes: null,
    senderName: 'Anna 👩🏽',
    alias: 'of-the-share',
    maxDownloads: 3,
    tellsOfFiles: true,
    visits: 0,
    downloads: 0,
    seenFiles: 0,
    expiresAtSeconds: null,
    availableFromSeconds: 5,
    createdAtMs: clock.nowMs(),
    disk,
  })
  expect([await shares.find('abc'), await shares.find('AbC ')]).toEqual([null, null])
  expect((await shares.findByAddress('Of-The-Share'))?.hash).toBe('AbC')
  expect((await shares.findByAddress('AbC'))?.hash).toBe('AbC')
  expect(await shares.find('of-the-share')).toBe(null)
})

test('an expired share is never returned, and only a purge deletes it', async () => {
  const { shares, add, clock, nowSeconds } = await createShareStore()
  await add('over', { expiresAtSeconds: nowSeconds() + 10 })
  await add('later', { expiresAtSeconds: nowSeconds() + 11 })
  await add('never')
  clock.advance(10_000)
  expect((await shares.list()).map(({ hash }) => hash)).toEqual(['never', 'later'])
  expect(await shares.find('over')).toBeNull()
  expect(await shares.hasExpired()).toBe(true)
  await shares.purge()
  expect(await shares.hasExpired()).toBe(false)
  clock.advance(-10_000)
  expect((await shares.list()).map(({ hash }) => hash)).toEqual(['never', 'later'])
})

test('a purge deletes only expired shares', async () => {
  const { shares, add, nowSeconds } = await createShareStore()
  for (const n of [1, 2, 3]) await add(`over ${n}`, { expiresAtSeconds: nowSeconds() - n })
  await add('stays', { expiresAtSeconds: nowSeconds() + 1 })
  await shares.purge()
  expect((await shares.list()).map(({ hash }) => hash)).toEqual(['stays'])
})

test('a move or removal of an entry affects the shares of the entry and below it, and no path that only begins with the same name', async () => {
  const { shares, add, places } = await createShareStore()
  for (const path of ['/a', '/a/b', '/a/b/c', '/ab', '/a%', '/a_/b'])
    await add(path, { path: testPath(path) })
  await shares.followMove({ from: testPath('/a'), to: testPath('/x y'), isNew: true })
  expect(await places()).toEqual([
    '/a /x y',
    '/a% /a%',
    '/a/b /x y/b',
    '/a/b/c /x y/b/c',
    '/a_/b /a_/b',
    '/ab /ab',
  ])
  await shares.endWithin(testPath('/x y/b'))
  expect(await places()).toEqual(['/a /x y', '/a% /a%', '/a_/b /a_/b', '/ab /ab'])
  await shares.endWithin(root)
  expect(await places()).toEqual([])
})

test('shares on a disk that is waited for are neither moved nor removed', async () => {
  const { shares, add, places } = await createShareStore()
  const [missing, mounted] = ['/mnt/a/', '/mnt/b/'].map((mountPoint) => ({ mountPoint, inode: '2' }))
  await add('waits', { path: testPath('/a/b'), disk: missing! })
  await add('below the target', { path: testPath('/c/d'), disk: missing! })
  await add('moves', { path: testPath('/a/b'), disk: mounted! })
  await add('without a disk', { path: testPath('/a') })
  const waiting = [missing!]
  await shares.followMove({ from: testPath('/a'), to: testPath('/c'), isNew: true, waiting })
  const kept = ['below the target /c/d', 'waits /a/b']
  expect(await places()).toEqual(['below the target /c/d', 'moves /c/b', 'waits /a/b', 'without a disk /c'])
  await shares.endWithin(root, waiting)
  expect(await places()).toEqual(kept)
})

test('a new entry ends neither a share that is awaited nor, for a day, one that was found', async () => {
  const { shares, add, places, clock } = await createShareStore()
  for (const hash of ['awaited', 'found', 'usual'])
    await add(hash, { path: testPath(`/a/${hash}`), kind: hash === 'usual' ? 'file' : 'awaited' })
  const found = { path: testPath('/a/real'), kind: 'file', disk: null } as const
  const awaited = { hash: 'found', path: testPath('/a/found') }
  expect(await shares.setFound({ ...awaited, path: testPath('/old') }, found)).toBe(false)
  expect((await shares.find('found'))?.kind).toBe('awaited')
  expect(await shares.setFound(awaited, found)).toBe(true)
  expect(await shares.setFound(awaited, found)).toBe(false)
  clock.advance(24 * 60 * 60 * 1000 - 1)
  await shares.endReplaced(testPath('/a'))
  await shares.followMove({ from: testPath('/b'), to: testPath('/a'), isNew: true })
  expect(await places()).toEqual(['awaited /a/awaited', 'found /a/real'])
  clock.advance(1)
  await shares.followMove({ from: testPath('/b'), to: testPath('/a'), isNew: true })
  expect(await places()).toEqual(['awaited /a/awaited'])
  await shares.endWithin(testPath('/a'))
  expect(await places()).toEqual([])
})

test('a place is corrected for its disk only', async () => {
  const { shares, add } = await createShareStore()
  const [one, other] = ['1', '2'].map((inode) => ({ mountPoint: '/mnt/', inode }))
  for (const disk of [one!, null]) await add(`on ${disk?.inode}`, { path: testPath('/a'), disk })
  await shares.correctPlace({ path: '/a', disk: null }, { path: testPath('/b'), disk: other! })
  const { places } = await shares.sharedPlaces(root, null)
  expect(places).toHaveLength(2)
  expect(places).toEqual(
    expect.arrayContaining([
      { path: '/a', disk: one },
      { path: '/b', disk: other },
    ]),
  )
})

test('the places of an entry and of entries below it are read page by page', async () => {
  const { shares, add } = await createShareStore()
  expect(await shares.hasWithin(root)).toBe(false)
  const within = Array.from({ length: 1100 }, (_, index) => `/docs/${index}`)
  for (const path of ['/docs', ...within, '/docs 2', '/other']) await add(path, { path: testPath(path) })
  await add('again', { path: testPath('/docs/7') })
  const asked = ['/docs', '/docs/1099', '/docs/1099/x', '/doc', '/docs 3', '/']
  const answers = await Promise.all(asked.map((path) => shares.hasWithin(testPath(path))))
  expect(answers).toEqual([true, true, false, false, false, true])
  const pages = [await shares.sharedPlaces(testPath('/docs'), null)]
  for (let last = pages.at(-1); last?.next; last = pages.at(-1))
    pages.push(await shares.sharedPlaces(testPath('/docs'), last.next))
  expect(pages.map(({ places }) => places.length)).toEqual([500, 500, 102])
  const found = pages.flatMap(({ places }) => places.map(({ path }) => path))
  expect(found).toEqual(['/docs', '/docs/7', ...within].toSorted())
  let distinct = 0
  for await (const _ of placesWithin(shares, testPath('/docs'))) distinct += 1
  expect(distinct).toBe(1101)
})

test('a move of an entry to its own path removes no share', async () => {
  const { shares, add, places } = await createShareStore()
  await add('it')
  await shares.followMove({ from: testPath('/docs'), to: testPath('/docs'), isNew: true })
  expect(await places()).toEqual(['it /docs'])
})

test('a share whose path becomes too long is not found, and never leads to another path', async () => {
  const { shares, add } = await createShareStore()
  await add('deep', { path: testPath(`/a/${'x'.repeat(255)}/${'x'.repeat(255)}`) })
  const to = testPath(Array.from({ length: 15 }, () => `/${'y'.repeat(255)}`).join(''))
  await shares.followMove({ from: testPath('/a'), to, isNew: true })
  expect([await shares.find('deep'), await shares.list()]).toEqual([null, []])
})

test('removing a user removes the shares', async () => {
  const { shares, users, add } = await createShareStore()
  await add('of ann')
  await add('of bea', { userId: 2 })
  await users.add(
    userFields({ username: 'ada', perm: { ...userFields({ username: 'x' }).perm, admin: true } }),
  )
  await users.remove(1)
  expect((await shares.list()).map(({ hash }) => hash)).toEqual(['of bea'])
  await expect(add('of nobody', { userId: 99 })).rejects.toMatchObject({ code: 'not-found' })
})

test('shares can be listed by owner and by path', async () => {
  const { shares, add } = await createShareStore()
  await add('one')
  await add('two', { userId: 2 })
  await add('three', { path: testPath('/docs/x') })
  const hashes = async (only: Parameters<typeof shares.list>[0]) =>
    (await shares.list(only)).map(({ hash }) => hash).toSorted()
  expect(await hashes({ userId: 1 })).toEqual(['one', 'three'])
  expect(await hashes({ path: testPath('/docs') })).toEqual(['one', 'two'])
  expect(await hashes({ path: testPath('/docs'), userId: 2 })).toEqual(['two'])
})

test('a user has a limited number of shares, of which expired ones do not count', async () => {
  const { shares, add, clock, nowSeconds } = await createShareStore()
  const fields = { createdAtMs: clock.nowMs(), expiresAtSeconds: nowSeconds() + 10 }
  const hashes = Array.from({ length: sharesPerUser - 1 }, (_, n) => `old ${n}`)
  await shares.addAll(hashes.map((hash) => shareFields({ hash, ...fields })))
  await add('last')
  expect(await add('more').catch(codeOf)).toBe('no-space')
  await add('of bea', { userId: 2 })
  await shares.remove('old 0')
  await add('more')
  clock.advance(10_000)
  await add('after the others have expired')
  expect(await add('of nobody', { userId: 3 }).catch(codeOf)).toBe('not-found')
})

/** Returns a path of almost the maximum length. Each of its characters takes three in the database. */
const longPath = (n: number) => testPath(`${`/${'%'.repeat(250)}`.repeat(15)}/${1000 + n}`)

test('the paths of the shares of a user have a limited number of characters', async () => {
  const { shares, add } = await createShareStore()
  const charactersOfPath = 15 * 751 + 5
  const most = Math.floor(sharedPathCharactersPerUser / charactersOfPath)
  await shares.addAll(
    Array.from({ length: most - 1 }, (_, n) => shareFields({ hash: `${n}`, path: longPath(n) })),
  )
  await add('last', { path: longPath(most) })
  expect(await add('more', { path: longPath(most + 1) }).catch(codeOf)).toBe('no-space')
  await add('of bea', { path: longPath(most + 1), userId: 2 })
  await shares.remove('0')
  await add('more', { path: longPath(most + 1) })
})

test('the digests of shares are in the order of the list, and shares are read by them', async () => {
  const { shares, clock, nowSeconds } = await createShareStore()
  await shares.addAll(
    Array.from({ length: 40 }, (_, n) =>
      shareFields({
        hash: `hash ${n}`,
        userId: 1 + (n % 2),
        path: testPath(n % 3 === 0 ? '/docs' : '/other'),
        expiresAtSeconds: n % 5 === 0 ? null : nowSeconds() + 1 + (n % 7),
        createdAtMs: clock.nowMs() - n,
      }),
    ),
  )
  await shares.add(shareFields({ hash: 'expired', expiresAtSeconds: nowSeconds() }))
  expect(await shares.count()).toBe(40)
  for (const filter of [
    {},
    { userId: 2 },
    { path: testPath('/docs') },
    { userId: 1, path: testPath('/docs') },
  ]) {
    const digests = await shares.digests(filter)
    expect(await shares.listOf(digests)).toEqual(await shares.list(filter))
    expect(digests.length).toBeGreaterThan(5)
  }
  const [first = '', second = ''] = await shares.digests()
  const [gone] = await shares.listOf([first])
  await shares.remove(gone?.hash ?? '')
  const rest = await shares.list()
  expect(await shares.listOf([first, second])).toEqual(rest.slice(0, 1))
  expect(await shares.listOf([])).toEqual([])
})

const codeOfRejection = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => codeOf(error),
  )

test('a user may have 1000 aliases in all, and their rows stay when the links and the user are gone', async () => {
  const { shares, users, add } = await createShareStore()
  for (let n = 0; n < aliasesPerUser; n += 1) {
    const hash = `h${n % 10}`
    if (n < 10) await add(hash, { alias: `alias-number-${n}` })
    else await shares.update(hash, { alias: `alias-number-${n}` })
  }
  expect(await codeOfRejection(shares.update('h0', { alias: 'one-too-many' }))).toBe('no-space')
  expect(await codeOfRejection(add('more', { alias: 'one-too-many' }))).toBe('no-space')
  expect(await shares.find('more')).toBe(null)
  // An alias that the link had before needs no room.
  expect((await shares.update('h0', { alias: 'alias-number-0' }))?.alias).toBe('alias-number-0')
  await users.remove(1)
  expect(await shares.findByAddress('alias-number-0')).toBe(null)
  const { id } = await users.add(userFields({ username: 'later' }))
  expect(await codeOfRejection(add('later', { alias: 'alias-number-0', userId: id }))).toBe('not-found')
})
