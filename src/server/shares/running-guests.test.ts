import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { beginDownload, makeLargeFile } from '../../../test/kit/begin-download.ts'
import { beginDrop, share } from '../../../test/kit/share.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import type { NewShare, ReceivedFileList } from '../../shared/contract/shares.ts'
import { noPermissions } from '../../shared/domain/access.ts'
import type { UserFields } from '../records/user-store.ts'

const ownPermissions = { ...noPermissions, create: true, share: true, download: true }
const owner = { scope: '/', perm: ownPermissions }
const files = { docs: { 'big.bin': '' }, inbox: {} }

/** Starts a server where the users ann and bea can share a large file. */
async function startSharing() {
  const app = await startApp({ files, user: owner, users: { bea: owner, ada: { perm: { admin: true } } } })
  await makeLargeFile(path.join(app.disk, 'docs/big.bin'))
  return app
}

const beginGuestDownload = (app: TestApp, hash: string) =>
  beginDownload(`${app.url}/api/public/dl/${hash}?algo=tar`)

type OwnerChange = readonly [string, (app: TestApp) => Promise<unknown>]

const change = (app: TestApp, fields: Partial<UserFields>) => app.records.users.update(app.user.id, fields)

const withoutPermission =
  (name: 'share' | 'download' | 'create') =>
  (app: TestApp): Promise<unknown> =>
    change(app, { perm: { ...ownPermissions, [name]: false } })

const endings: readonly OwnerChange[] = [
  ['is disabled', (app) => change(app, { isDisabled: true })],
  ['may not share any more', withoutPermission('share')],
]

describe("a guest's running download is aborted when the owner", () => {
  test.each<OwnerChange>([...endings, ['may not download any more', withoutPermission('download')]])(
    '%s',
    async (_case, endAccess) => {
      const app = await startSharing()
      const [file, folder] = [await share(app, '/docs/big.bin'), await share(app, '/docs')]
      const downloads = await Promise.all([file, folder].map(({ hash }) => beginGuestDownload(app, hash)))
      await endAccess(app)
      const aborted = await Promise.all(downloads.map(({ untilAborted }) => untilAborted()))
      expect(aborted).toEqual([true, true])
    },
  )
})

test("a guest's running download goes on when something else of the owner or the link changes", async () => {
  const app = await startSharing()
  const bea = await app.signIn('bea')
  const [ofAnn, ofBea] = [await share(app, '/docs/big.bin'), await share(bea, '/docs/big.bin')]
  const [goingOn, other] = [
    await beginGuestDownload(app, ofAnn.hash),
    await beginGuestDownload(app, ofBea.hash),
  ]
  await change(app, { locale: 'de', perm: { ...ownPermissions, rename: true, create: false } })
  await app.call('shares.remove', { path: `/${ofAnn.hash}` })
  await app.records.users.remove(app.user.id)
  await app.records.users.update(bea.user.id, { isDisabled: true })
  // The server has checked both downloads when it aborts the other one.
  expect(await other.untilAborted()).toBe(true)
  expect(await goingOn.readRest()).toBe(true)
})

describe("a guest's running upload is refused before its last byte when the owner", () => {
  test.each<OwnerChange>([
    ...endings,
    ['is removed', (app) => app.records.users.remove(app.user.id)],
    ['may not create files any more', withoutPermission('create')],
  ])('%s', async (_case, endAccess) => {
    const app = await startSharing()
    const { hash } = await share(app, '/inbox', { mode: 'upload-only' })
    const outgoing = request(`${app.url}/api/public/drop/${hash}/a.bin`, {
      method: 'POST',
      headers: { 'content-length': '100000' },
    })
    outgoing.on('error', () => undefined)
    outgoing.write('12345')
    const inbox = () => readdir(path.join(app.disk, 'inbox'))
    await expect.poll(inbox).toHaveLength(1)
    await endAccess(app)
    const [response] = (await once(outgoing, 'response')) as [{ statusCode: number }]
    expect(response.statusCode).toBe(403)
    await expect.poll(inbox).toEqual([])
  })
})

/** Returns the number of bytes that have arrived of the file that a guest is sending. */
async function receivedBytesOf(app: TestApp, hash: string): Promise<number | undefined> {
  const list = await app.call('shares.received', { path: `/${hash}` })
  return ((await list.json()) as ReceivedFileList).running[0]?.received
}

/** Starts a server whose owner has a quota, and begins to send a file of 200,000 bytes to an upload-only share. */
const startReceiving = async (clock: { nowMs: number }) => {
  const app = await startApp({
    files: { inbox: {} },
    user: { quotaBytes: 300_000 },
    nowMs: () => clock.nowMs,
  })
  const terms = {
    mode: 'upload-only',
    password: 'first',
    expires: 1,
    maxFiles: 9,
    maxBytes: 900_000,
  } as const
  const { hash } = await share(app, '/inbox', terms)
  const outgoing = await beginDrop(app, `${hash}/a.bin`, 200_000, { 'x-share-password': 'first' })
  outgoing.write(Buffer.alloc(100_000))
  const inbox = () => readdir(path.join(app.disk, 'inbox'))
  // The time until the server has passed the bytes on counts towards the least rate of the client.
  await expect.poll(async () => receivedBytesOf(app, hash)).toBe(100_005)
  const status = async () => ((await once(outgoing, 'response')) as [{ statusCode: number }])[0].statusCode
  return { app, hash, outgoing, inbox, status }
}
const updateShare = (json: NewShare) => async (app: TestApp, hash: string) => {
  expect((await app.call('shares.update', { path: `/${hash}`, json })).status).toBe(200)
}
const hourMs = 3_600_000

describe("a guest's running upload ends, and gives back its space, when the link", () => {
  test.each<readonly [string, number, (app: TestApp, hash: string, clock: { nowMs: number }) => unknown]>([
    ['expires', 404, (_app, _hash, clock) => (clock.nowMs += hourMs)],
    [
      'gets an earlier end',
      404,
      async (app, hash, clock) => {
        await updateShare({ expires: 1, unit: 'seconds' })(app, hash)
        clock.nowMs += 2000
      },
    ],
    ['gets another password', 403, updateShare({ password: 'other' })],
    ['gets another mode', 403, updateShare({ mode: 'download' })],
    ['gets a lower limit of bytes', 507, updateShare({ maxBytes: 150_000 })],
  ])('%s', async (_case, expected, end) => {
    const clock = { nowMs: Date.now() }
    const { app, hash, inbox, status } = await startReceiving(clock)
    await end(app, hash, clock)
    expect(await status()).toBe(expected)
    await expect.poll(inbox).toEqual([])
    const body = 'x'.repeat(300_000)
    expect((await app.call('resources.create', { path: '/own', body })).status).toBe(200)
  })

  test('is full by its new limit of files', async () => {
    const clock = { nowMs: Date.now() }
    const { app, hash, status } = await startReceiving(clock)
    const other = await beginDrop(app, `${hash}/b`, 5, { 'x-share-password': 'first' })
    other.end()
    await once(other, 'response')
    await updateShare({ maxFiles: 1 })(app, hash)
    expect(await status()).toBe(507)
  })
})

test('a running upload of a guest arrives when its link is changed and still accepts the file', async () => {
  const clock = { nowMs: Date.now() }
  const { app, hash, outgoing, inbox, status } = await startReceiving(clock)
  await updateShare({ maxBytes: 200_000, maxFiles: 1, expires: 2 })(app, hash)
  // The search that ends the upload of the second link has checked this one too.
  const second = await share(app, '/inbox', { mode: 'upload-only' })
  const ended = await beginDrop(app, `${second.hash}/c.bin`, 100_000)
  await expect.poll(inbox).toHaveLength(2)
  await updateShare({ mode: 'download' })(app, second.hash)
  await once(ended, 'response')
  outgoing.end(Buffer.alloc(99_995))
  expect(await status()).toBe(200)
  expect(await inbox()).toEqual(['a.bin'])
})
