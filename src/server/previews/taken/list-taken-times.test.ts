import { linkSync } from 'node:fs'
import { symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { photoTakenAt, rotatedJpeg } from '../../../../test/kit/images.ts'
import { share } from '../../../../test/kit/share.ts'
import { sharedStorageThreads } from '../../../../test/kit/shared-threads.ts'
import { startApp, type TestApp } from '../../../../test/kit/start-app.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { makeTiff } from '../../../../test/kit/tiff.ts'
import { makeTree } from '../../../../test/kit/tree.ts'
import type { PictureLine, TakenLine } from '../../../shared/contract/previews.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'
import { root } from '../../../shared/domain/path.ts'
import type { Storage } from '../../storage/port.ts'
import { createPosixVolume } from '../../storage/posix/volume.ts'
import { createTakenTimesLister, type TakenTimesRequest } from './list-taken-times.ts'

const photo = await photoTakenAt('2024:05:06 07:08:09')
const taken = '2024-05-06T07:08:09'
const odd = 'a%2Fb #?&+ 🎉.jpg'
const plain = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#336699' } })
  .jpeg()
  .toBuffer()

/** Returns the times in a response, by the names of the pictures. */
async function timesIn(response: Response): Promise<Readonly<Record<string, string>>> {
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return Object.fromEntries(lines.flatMap((line) => JSON.parse(line) as TakenLine))
}
const timesOf = async (app: TestApp, folder: string) =>
  timesIn(await app.call('preview.taken', { path: folder }))

/** Returns the pictures in a response, sorted by their names. */
async function itemsIn(response: Response): Promise<PictureLine> {
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return lines.flatMap((line) => JSON.parse(line) as PictureLine).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Requests the times of a shared folder as a guest. */
const askAsGuest = (app: TestApp, rest: string, headers: Readonly<Record<string, string>> = {}) =>
  app.fetch(`/api/public/taken/${rest}`, { token: null, headers })

test('the times at which pictures were taken are listed, and files without one are left out', async () => {
  const app = await startApp({
    files: {
      album: {
        [odd]: photo,
        'x.png': await photoTakenAt('2023:01:02 03:04:05', 'png'),
        'y.avif': await photoTakenAt('2022:01:02 03:04:05', 'avif'),
        'plain.jpg': plain,
        'notes.txt': photo,
        'empty.jpg': '',
        'no picture.jpg': 'no picture',
        'cut off.jpg': photo.subarray(0, 60),
        'never set.jpg': await photoTakenAt('0000:00:00 00:00:00'),
        deep: { 'z.jpg': photo },
      },
    },
  })
  expect(await timesOf(app, '/album')).toEqual({
    [odd]: taken,
    'x.png': '2023-01-02T03:04:05',
    'y.avif': '2022-01-02T03:04:05',
  })
})

test('with sizes, pictures have the size in which they are shown, and without the query no program sees it', async () => {
  const files = {
    [odd]: photo,
    'turned.jpg': await rotatedJpeg(80, 60),
    'plain.png': await sharp(plain).png().toBuffer(),
    'only a time.heic': makeTiff([{ below: { 0x8769: [{ fields: { 0x9003: '2020:01:02 03:04:05' } }] } }]),
    'broken.jpg': 'no picture',
    'notes.txt': photo,
  }
  const app = await startApp({ files: { album: files } })
  const { hash } = await share(app, '/album')
  const withSizes = [
    [odd, taken, 80, 60],
    ['only a time.heic', '2020-01-02T03:04:05'],
    ['plain.png', null, 20, 10],
    ['turned.jpg', null, 60, 80],
  ]
  const query = { sizes: 'true' }
  expect(await itemsIn(await app.call('preview.taken', { path: '/album', query }))).toEqual(withSizes)
  expect(await itemsIn(await askAsGuest(app, `${hash}?sizes=true`))).toEqual(withSizes)
  expect(await itemsIn(await app.call('preview.taken', { path: '/album/turned.jpg', query }))).toEqual([
    ['turned.jpg', null, 60, 80],
  ])
  // A page from before an update reads pairs.
  const pairs = [
    [odd, taken],
    ['only a time.heic', '2020-01-02T03:04:05'],
  ]
  for (const old of [{}, { sizes: 'false' }])
    expect(await itemsIn(await app.call('preview.taken', { path: '/album', query: old }))).toEqual(pairs)
  expect(await itemsIn(await askAsGuest(app, hash))).toEqual(pairs)
})

test('a picture with a large colour profile has its time and its size', async () => {
  const tables = photo.indexOf(Buffer.from([0xff, 0xdb]))
  const part = Buffer.concat([Buffer.from([0xff, 0xe2, 0xff, 0xff]), Buffer.alloc(65_533)])
  const parts = Array.from({ length: 11 }, () => part)
  const large = Buffer.concat([photo.subarray(0, tables), ...parts, photo.subarray(tables)])
  const app = await startApp({ files: { album: { 'profile.jpg': large } } })
  const response = await app.call('preview.taken', { path: '/album', query: { sizes: 'true' } })
  expect(await itemsIn(response)).toEqual([['profile.jpg', taken, 80, 60]])
})

test('damaged and very large pictures end with a time or without one', async () => {
  const damaged = Object.fromEntries(
    Array.from({ length: 120 }, (_, at) => {
      const bytes = Buffer.from(photo)
      bytes.fill(at % 2 === 0 ? 0xff : 0, 4 + at, 12 + at * 2)
      return [`${at}.jpg`, bytes] as const
    }),
  )
  const app = await startApp({ files: { album: { ...damaged, 'large.jpg': photo, 'whole.jpg': photo } } })
  // The file has a hole of 1 TB.
  await truncate(path.join(app.disk, 'album/large.jpg'), 2 ** 40)
  expect(await timesOf(app, '/album')).toMatchObject({ 'large.jpg': taken, 'whole.jpg': taken })
})

test('a version of a picture is read once', async () => {
  const app = await startApp({ files: { album: { 'a.jpg': photo } } })
  const file = path.join(app.disk, 'album/a.jpg')
  const time = new Date('2026-01-01T12:00:00Z')
  await utimes(file, time, time)
  expect(await timesOf(app, '/album')).toEqual({ 'a.jpg': taken })
  // Bytes that change without the time and the size of the file are no other version.
  await writeFile(file, await photoTakenAt('2020:05:06 07:08:09'))
  await utimes(file, time, time)
  expect(await timesOf(app, '/album')).toEqual({ 'a.jpg': taken })
  await utimes(file, time, new Date('2026-01-02T12:00:00Z'))
  expect(await timesOf(app, '/album')).toEqual({ 'a.jpg': '2020-05-06T07:08:09' })
})

test('a folder of many pictures arrives in several lines', async () => {
  const names = Array.from({ length: 130 }, (_, at) => `${at}.jpg`)
  const app = await startApp({ files: { album: Object.fromEntries(names.map((name) => [name, photo])) } })
  const response = await app.call('preview.taken', { path: '/album' })
  const text = await response.clone().text()
  expect(text.trimEnd().split('\n').length).toBeGreaterThan(2)
  expect(Object.keys(await timesIn(response)).toSorted()).toEqual(names.toSorted())
})

test('entries that rules or the preference for hidden files exclude have no times', async () => {
  const app = await startApp({
    files: { album: { 'a.jpg': photo, '.b.jpg': photo, 'c.jpg': photo }, 'other.jpg': photo },
  })
  await symlink('../other.jpg', path.join(app.disk, 'album/link.jpg'))
  await symlink('/etc/hostname', path.join(app.disk, 'album/outside.jpg'))
  expect(Object.keys(await timesOf(app, '/album')).toSorted()).toEqual([
    '.b.jpg',
    'a.jpg',
    'c.jpg',
    'link.jpg',
  ])
  // Another person has read these pictures before.
  const rules = ['/album/c.jpg', '/other.jpg'].map((denied) => ({
    allow: false,
    path: denied,
    regex: false,
    regexp: null,
  }))
  await app.records.users.update(app.user.id, { rules, hideDotfiles: true })
  expect(await timesOf(app, '/album')).toEqual({ 'a.jpg': taken })
})

test('the times need the permission to download', async () => {
  const app = await startApp({ files: { album: { 'a.jpg': photo } } })
  await app.records.users.update(app.user.id, { perm: { ...app.user.perm, download: false } })
  expect((await app.call('preview.taken', { path: '/album' })).status).toBe(403)
})

test('a picture has its own time, and other files have none', async () => {
  const files = {
    [odd]: photo,
    'plain.jpg': plain,
    'broken.jpg': 'no picture',
    'empty.jpg': '',
    'a.txt': photo,
  }
  const app = await startApp({ files })
  expect(await timesOf(app, `/${odd}`)).toEqual({ [odd]: taken })
  for (const name of ['plain.jpg', 'broken.jpg', 'empty.jpg'])
    expect(await timesOf(app, `/${name}`)).toEqual({})
  for (const name of ['a.txt', 'none.jpg'])
    expect((await app.call('preview.taken', { path: `/${name}` })).status).toBe(404)
})

test('a folder with too many entries is refused', async () => {
  const app = await startApp({ files: { many: { '0': '' } } })
  const status = async (at: string) => (await app.call('preview.taken', { path: at })).status
  const nameOf = (at: number) => path.join(app.disk, 'many', String(at))
  for (let at = 1; at < limits.takenTimesEntries; at += 1) linkSync(nameOf(0), nameOf(at))
  expect(await status('/many')).toBe(200)
  linkSync(nameOf(0), nameOf(limits.takenTimesEntries))
  expect(await status('/many')).toBe(413)
})

test('a guest gets the times of a shared folder, and no more than by previews', async () => {
  const app = await startApp({
    files: { album: { [odd]: photo, secret: { 'b.jpg': photo } }, 'private.jpg': photo },
  })
  await symlink('../private.jpg', path.join(app.disk, 'album/link.jpg'))
  const rules = [{ allow: false, path: '/album/secret', regex: false, regexp: null }]
  await app.records.users.update(app.user.id, { rules })
  const password = 'open sesame'
  const links = {
    open: await share(app, '/album'),
    locked: await share(app, '/album', { password }),
    viewOnly: await share(app, '/album', { mode: 'view-only' }),
    uploadOnly: await share(app, '/album', { mode: 'upload-only' }),
  }
  for (const { hash } of [links.open, links.viewOnly]) {
    const response = await askAsGuest(app, hash)
    expect([response.status, response.headers.get('x-robots-tag')]).toEqual([200, 'noindex'])
    expect(await timesIn(response)).toEqual({ [odd]: taken })
  }
  const cases: readonly (readonly [string, number])[] = [
    [`${links.open.hash}/secret`, 403],
    [`${links.open.hash}/none`, 404],
    [`${links.open.hash}/..%2F`, 400],
    [links.locked.hash, 401],
    [links.uploadOnly.hash, 403],
    ['unknown', 404],
  ]
  for (const [rest, status] of cases)
    expect([rest, (await askAsGuest(app, rest)).status]).toEqual([rest, status])
  const opened = await askAsGuest(app, links.locked.hash, { 'x-share-password': password })
  expect(opened.headers.get('cache-control')).toBe('private, no-store')
  expect(await timesIn(opened)).toEqual({ [odd]: taken })
  await app.call('shares.remove', { path: `/${links.open.hash}` })
  expect((await askAsGuest(app, links.open.hash)).status).toBe(404)
})

test('a guest gets the time of a shared photo, which is no download', async () => {
  const app = await startApp({ files: { album: { [odd]: photo, 'notes.txt': 'notes' } } })
  const options = { maxDownloads: 1 }
  const folder = await share(app, '/album', options)
  const file = await share(app, `/album/${odd}`, options)
  for (const rest of [`${folder.hash}/${encodeURIComponent(odd)}`, file.hash]) {
    const response = await askAsGuest(app, rest)
    expect(response.status).toBe(200)
    expect(Object.values(await timesIn(response))).toEqual([taken])
  }
  expect((await askAsGuest(app, `${folder.hash}/notes.txt`)).status).toBe(404)
  for (const { hash } of [folder, file]) expect((await app.records.shareUses.of(hash))?.downloads).toBe(0)
})

/** Creates a request of a user for the root folder of a storage. */
const requestFor = (storage: TakenTimesRequest['storage']): TakenTimesRequest => ({
  storage,
  path: root,
  principal: 'user 1',
  isGuest: false,
  hasSizes: false,
  reading: { hold: () => true, wait: async () => undefined },
  signal: new AbortController().signal,
})

/** Creates requests for a folder of two photos, as it is on its disk, and as if it were on another disk with its own `open`. */
async function requestsForTwoDisks(openOnOther: Storage['open']) {
  const folder = temporaryFolder()
  await makeTree(folder, { 'a.jpg': photo, 'b.jpg': photo })
  const volume = createPosixVolume({ root: folder, pool: sharedStorageThreads() })
  onTestFinished(() => volume.close())
  const localFolder = await volume.localDisk.folder(root)
  const other = { folder: async () => localFolder && { ...localFolder, dev: localFolder.dev + 1n } }
  return {
    own: requestFor(volume),
    other: requestFor({ ...volume, open: openOnOther, localDisk: other }),
  }
}

test('a disk that hangs delays no folder of another disk', async () => {
  const { promise: hanging, reject: end } = Promise.withResolvers<never>()
  const { own, other } = await requestsForTwoDisks(() => hanging)
  const list = createTakenTimesLister({ nowMs: () => 0 })
  const line = (await list(other))[Symbol.asyncIterator]().next()
  const lines: string[] = []
  for await (const text of await list(own)) lines.push(text)
  expect(lines.map((text) => JSON.parse(text) as TakenLine)).toEqual([
    [
      ['a.jpg', taken],
      ['b.jpg', taken],
    ],
  ])
  end(new AppError('aborted'))
  expect((await line).value).toBe('[]\n')
})

test('after one picture on a disk that does not respond, the others are not opened', async () => {
  let opened = 0
  const { other } = await requestsForTwoDisks(async () => {
    opened += 1
    throw new AppError('timeout')
  })
  const lines = (await createTakenTimesLister({ nowMs: () => 0 })(other))[Symbol.asyncIterator]()
  await expect(lines.next()).rejects.toMatchObject({ code: 'timeout' })
  expect(opened).toBe(1)
})

test('a disk that takes seconds for a picture gets a line for each', async () => {
  let nowMs = 0
  const { own } = await requestsForTwoDisks(async () => {
    throw new AppError('aborted')
  })
  const open: Storage['open'] = (...args) => {
    nowMs += 10_000
    return own.storage.open(...args)
  }
  const lines: string[] = []
  const list = createTakenTimesLister({ nowMs: () => nowMs })
  for await (const line of await list(requestFor({ ...own.storage, open }))) lines.push(line)
  expect(lines.map((line) => JSON.parse(line) as TakenLine)).toEqual([[['a.jpg', taken]], [['b.jpg', taken]]])
})
