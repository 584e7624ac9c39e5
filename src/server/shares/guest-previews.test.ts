import { symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { animated, pictureOf, twoColours } from '../../../test/kit/images.ts'
import { share } from '../../../test/kit/share.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

const photo = await twoColours(600, 300).png().toBuffer()
const files = {
  'private.png': photo,
  album: { 'a photo.png': photo, 'a.svg': '<svg/>', 'a.txt': 'text', trip: { 'b#1.png': photo }, secret: {} },
}

/** Requests a preview as a guest without a login. `rest` is the encoded end of the URL behind the size. */
const preview = (app: TestApp, rest: string, headers: Readonly<Record<string, string>> = {}) =>
  app.fetch(`/api/public/preview/thumb/${rest}`, { token: null, headers })

test('a guest gets pictures of the files of a shared folder and of its subfolders', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/album')
  for (const rest of [`${hash}/a%20photo.png`, `${hash}/trip/b%231.png`]) {
    const response = await preview(app, rest, { accept: 'image/webp' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(response.headers.get('content-disposition')).toMatch(/^inline/)
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    expect(await pictureOf(await response.arrayBuffer())).toMatchObject({ width: 256, height: 256 })
    const etag = response.headers.get('etag') ?? ''
    const again = await preview(app, rest, { accept: 'image/webp', 'if-none-match': etag })
    expect([etag === '', again.status]).toEqual([false, 304])
  }
  const big = await app.fetch(`/api/public/preview/big/${hash}/a%20photo.png`, { token: null })
  expect(await pictureOf(await big.arrayBuffer())).toMatchObject({ width: 600, height: 300 })
})

test('a shared file has a preview at its link', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/album/a photo.png')
  for (const rest of [hash, `${hash}/a%20photo.png`]) expect((await preview(app, rest)).status).toBe(200)
})

test('a guest never gets the file itself instead of a preview', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/album')
  await writeFile(path.join(app.disk, 'album/moving.gif'), await animated('gif'))
  const statuses = async (size: string, names: readonly string[]) =>
    Promise.all(
      names.map(async (name) => {
        const response = await app.fetch(`/api/public/preview/${size}/${hash}/${name}`, { token: null })
        return response.status
      }),
    )
  expect(await statuses('thumb', ['a.svg', 'a.txt', 'trip', 'none.png'])).toEqual([501, 501, 501, 404])
  expect(await statuses('big', ['moving.gif'])).toEqual([501])
  expect(await statuses('huge', ['a%20photo.png'])).toEqual([400])
  const plain = await startApp({ files, config: { disableThumbnails: true } })
  const link = await share(plain, '/album')
  expect((await preview(plain, `${link.hash}/a%20photo.png`)).status).toBe(501)
})

test('a guest sees no more by previews than by downloads', async () => {
  const app = await startApp({ files })
  await writeFile(path.join(app.disk, 'album/secret/d.png'), photo)
  await symlink('../private.png', path.join(app.disk, 'album/link.png'))
  const rules = [{ allow: false, path: '/album/secret', regex: false, regexp: null }]
  await app.records.users.update(app.user.id, { rules })
  const links = {
    open: await share(app, '/album'),
    locked: await share(app, '/album', { password: 'open sesame' }),
    viewOnly: await share(app, '/album', { mode: 'view-only' }),
    uploadOnly: await share(app, '/album', { mode: 'upload-only' }),
  }
  const download = async (rest: string, headers = {}): Promise<number> =>
    (await app.fetch(`/api/public/dl/${rest}?inline=true`, { token: null, headers })).status
  const cases: readonly (readonly [string, string, number])[] = [
    [links.open.hash, 'secret/d.png', 403],
    [links.open.hash, 'link.png', 403],
    [links.open.hash, '..%2Fprivate.png', 400],
    [links.locked.hash, 'a%20photo.png', 401],
    [links.viewOnly.hash, 'a%20photo.png', 200],
    [links.uploadOnly.hash, 'a%20photo.png', 403],
    ['unknown', 'a.png', 404],
  ]
  for (const [hash, name, status] of cases) {
    const statuses = [await download(`${hash}/${name}`), (await preview(app, `${hash}/${name}`)).status]
    expect([name, ...statuses]).toEqual([name, status, status])
  }
  const opened = await preview(app, `${links.locked.hash}/a%20photo.png`, {
    'x-share-password': 'open sesame',
  })
  expect([opened.status, opened.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
})

test('a link that has ended shows no previews, also those that were made before', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/album')
  expect((await preview(app, `${hash}/a%20photo.png`)).status).toBe(200)
  await app.call('shares.remove', { path: `/${hash}` })
  expect((await preview(app, `${hash}/a%20photo.png`)).status).toBe(404)
})
