import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { beginDownload, makeLargeFile } from '../../../test/kit/begin-download.ts'
import { share } from '../../../test/kit/share.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import { noPermissions } from '../../shared/domain/access.ts'
import type { UserFields } from '../records/port.ts'

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
