import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { requestAsGuest, share } from '../../../test/kit/share.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import { rowsMediaType, type ListingRow, type RowStreamHead } from '../../shared/contract/resources.ts'

const files = {
  'private.txt': 'private',
  album: {
    'a%2Fb #?&+ 🎉': { 'b.jpg': 'b', 'a.txt': 'a', '.hidden': 'dots', deep: { 'c.txt': 'c' } },
    secret: { 'd.jpg': 'denied' },
    '1.jpg': 'one',
  },
}

const headers = { accept: rowsMediaType }

/** Requests the rows of a shared folder as a guest. */
async function rowsOf(app: TestApp, rest: string, password?: string) {
  const response = await requestAsGuest(app, 'share', rest, {
    headers,
    ...(password !== undefined && { password }),
  })
  const lines = (await response.text()).trimEnd().split('\n')
  const [head, ...rows] = lines.map((line) => JSON.parse(line) as unknown)
  return { response, head: head as RowStreamHead, names: (rows.flat() as ListingRow[]).map(([name]) => name) }
}

test('a guest gets the rows of a shared folder, with the number of entries first', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/album')
  const { response, head, names } = await rowsOf(app, `${hash}/${encodeURIComponent('a%2Fb #?&+ 🎉')}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, rowsMediaType])
  expect(response.headers.get('x-robots-tag')).toBe('noindex')
  expect(head).toMatchObject({ path: '/a%2Fb #?&+ 🎉', numDirs: 1, numFiles: 3, total: 4 })
  expect(names).toEqual(['deep', '.hidden', 'a.txt', 'b.jpg'])
  // A file has no rows, and is described as JSON.
  const file = await requestAsGuest(app, 'share', `${hash}/1.jpg`, { headers })
  expect([file.headers.get('content-type'), await file.json()]).toEqual([
    'application/json; charset=utf-8',
    expect.objectContaining({ name: '1.jpg', type: 'image' }),
  ])
})

test('rows show a guest no more than the JSON of the folder does', async () => {
  const app = await startApp({ files })
  await symlink('../private.txt', path.join(app.disk, 'album/link.txt'))
  const rules = [{ allow: false, path: '/album/secret', regex: false, regexp: null }]
  await app.records.users.update(app.user.id, { rules })
  const password = 'open sesame'
  const links = {
    open: await share(app, '/album'),
    locked: await share(app, '/album', { password }),
    viewOnly: await share(app, '/album', { mode: 'view-only' }),
    uploadOnly: await share(app, '/album', { mode: 'upload-only' }),
  }
  const cases: readonly (readonly [string, number])[] = [
    [links.open.hash, 200],
    [`${links.open.hash}/secret`, 403],
    [`${links.open.hash}/none`, 404],
    [`${links.open.hash}/..%2Fprivate`, 400],
    [links.locked.hash, 401],
    [links.viewOnly.hash, 200],
    [`${links.uploadOnly.hash}/secret`, 403],
    ['unknown', 404],
  ]
  for (const [rest, status] of cases) {
    const plain = await requestAsGuest(app, 'share', rest)
    const rows = await requestAsGuest(app, 'share', rest, { headers })
    expect([rest, plain.status, rows.status]).toEqual([rest, status, status])
  }
  const { names } = await rowsOf(app, links.open.hash)
  const listed = (await (await requestAsGuest(app, 'share', links.open.hash)).json()) as {
    readonly items: readonly { readonly name: string }[]
  }
  expect(names).toEqual(listed.items.map(({ name }) => name))
  expect(names).not.toContain('secret')
  const opened = await rowsOf(app, links.locked.hash, password)
  expect(opened.response.headers.get('cache-control')).toBe('private, no-store')
  expect(opened.head).toHaveProperty('token')
  // The rows of a drop box would show what others have sent.
  const drop = await requestAsGuest(app, 'share', links.uploadOnly.hash, { headers })
  expect(await drop.json()).toMatchObject({ shareMode: 'upload-only' })
})

test('the rows of a folder below the shared one are no visit', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/album')
  for (let times = 0; times < 3; times += 1) await rowsOf(app, `${hash}/secret`)
  await requestAsGuest(app, 'share', hash)
  await expect.poll(async () => (await app.records.shareUses.of(hash))?.visits).toBe(1)
})
