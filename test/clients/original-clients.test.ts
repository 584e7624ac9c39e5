import { expect, test } from 'vitest'
import type { FileResource, FolderResource } from '../../src/shared/contract/resources.ts'
import { startApp, treeOf, type TestApp } from '../kit/start-app.ts'

/**
 * These tests send the requests that the web client of File Browser sends, both in the version that the specification
 * describes and in the last version.
 */

const files = {
  Films: { 'm.mkv': '', 'm.en.vtt': 'WEBVTT\n', subs: { 'm.srt': '1\n00:00:01,000 --> 00:00:02,000\nHi\n' } },
  'table.csv': Buffer.from('n\xE4me;1\n', 'latin1'),
  'a.txt': 'A',
}

const change = (
  app: TestApp,
  fields: string[],
  data: Record<string, unknown>,
  more: Record<string, unknown> = {},
) =>
  app.fetch(`/api/users/${app.user.id}`, {
    method: 'PUT',
    body: JSON.stringify({ what: 'user', which: fields, data: { id: app.user.id, ...data }, ...more }),
  })

test('the page of 2.20 signs in, renews its token, and changes the settings of its user', async () => {
  const app = await startApp({ files })
  const body = JSON.stringify({ username: 'ann', password: app.password, recaptcha: '' })
  const token = await (await app.fetch('/api/login', { method: 'POST', token: null, body })).text()
  const renewed = await app.fetch('/api/renew', { method: 'POST', token })
  expect((await renewed.text()).split('.')).toHaveLength(3)
  for (const [fields, data] of [
    ['viewMode', { viewMode: 'mosaic' }],
    ['sorting', { sorting: { by: 'size', asc: true } }],
    ['locale', { locale: 'pt-br' }],
    ['singleClick', { singleClick: true }],
    ['dateFormat', { dateFormat: true }],
    ['hideDotfiles', { hideDotfiles: true }],
  ] as const)
    expect([fields, (await change(app, [fields], data)).status]).toEqual([fields, 200])
  const seen = (await (await app.fetch(`/api/users/${app.user.id}`)).json()) as Record<string, unknown>
  expect(seen).toMatchObject({ viewMode: 'mosaic', sorting: { by: 'size', asc: true }, locale: 'pt-br' })
  expect((await change(app, ['password'], { password: 'yet another long one' })).status).toBe(200)
  const again = JSON.stringify({ username: 'ann', password: 'yet another long one', recaptcha: '' })
  expect((await app.fetch('/api/login', { method: 'POST', token: null, body: again })).status).toBe(200)
})

test('the page of 2.20 uploads, saves, downloads by a token in the URL, shares and removes', async () => {
  const app = await startApp({ files })
  const send = async (method: string, address: string, body?: string) => {
    const reply = await app.fetch(address, { method, ...(body === undefined ? {} : { body }) })
    return [reply.status, await reply.text()]
  }
  expect(await send('POST', '/api/resources/new%20folder/?override=false')).toEqual([200, '200 OK\n'])
  expect((await send('POST', '/api/resources/new%20folder/b.txt?override=false', 'B'))[0]).toBe(200)
  expect((await send('POST', '/api/resources/new%20folder/b.txt?override=false', 'C'))[0]).toBe(409)
  expect((await send('POST', '/api/resources/new%20folder/b.txt?override=true', 'C'))[0]).toBe(200)
  expect((await send('PUT', '/api/resources/new%20folder/b.txt', 'D'))[0]).toBe(200)
  const destination = encodeURIComponent(
    `/${encodeURIComponent('new folder')}/${encodeURIComponent('100% b.txt')}`,
  )
  const query = `action=copy&destination=${destination}&override=false&rename=true`
  expect(await send('PATCH', `/api/resources/new%20folder/b.txt?${query}`)).toEqual([200, '200 OK\n'])
  const download = await app.fetch(`/api/raw/new%20folder/b.txt?auth=${app.token}&inline=true`, {
    token: null,
  })
  expect(await download.text()).toBe('D')
  const chosen = encodeURIComponent(['b.txt', '100% b.txt'].map(encodeURIComponent).join(','))
  const packed = await app.fetch(`/api/raw/new%20folder/?files=${chosen}&algo=zip&auth=${app.token}`, {
    token: null,
  })
  expect([packed.status, packed.headers.get('content-type')]).toEqual([200, 'application/zip'])
  await packed.arrayBuffer()
  expect(
    (
      await send(
        'POST',
        '/api/share/new%20folder/?expires=1&unit=days',
        '{"password":"","expires":"1","unit":"days"}',
      )
    )[0],
  ).toBe(200)
  expect(await send('DELETE', '/api/resources/new%20folder/b.txt')).toEqual([200, '200 OK\n'])
  const tree = (await treeOf(app.disk))['new folder']
  expect(tree).toEqual({ '100% b.txt': 'D' })
})

test('the page of 2.63 checks for conflicts, uploads in parts, shows usage, subtitles and tables', async () => {
  const app = await startApp({ files })
  const recursive = await app.fetch('/api/resources/recursive/Films')
  expect(((await recursive.json()) as { path: string }[]).map(({ path }) => path)).toEqual([
    '/Films/m.en.vtt',
    '/Films/m.mkv',
    '/Films/subs',
    '/Films/subs/m.srt',
  ])
  const begun = await app.fetch('/api/tus/part.bin?override=false', {
    method: 'POST',
    headers: { 'upload-length': '3' },
  })
  const uploadPath = new URL(begun.headers.get('location') ?? '', app.url).pathname
  const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  expect((await app.fetch(uploadPath, { method: 'PATCH', headers, body: 'abc' })).status).toBe(204)
  expect((await app.fetch('/api/usage/')).status).toBe(200)
  const film = (await (await app.fetch('/api/resources/Films/m.mkv')).json()) as FileResource
  expect(film.subtitles).toEqual(['/Films/m.en.vtt', '/Films/subs/m.srt'])
  const subtitle = await app.fetch('/api/subtitle/Films/subs/m.srt?inline=true')
  expect([subtitle.headers.get('content-type'), await subtitle.text()]).toEqual([
    expect.stringContaining('text/vtt'),
    expect.stringContaining('00:00:01.000 --> 00:00:02.000'),
  ])
  const table = await app.fetch('/api/resources/table.csv', { headers: { 'x-encoding': 'true' } })
  expect(Buffer.from(await table.arrayBuffer()).toString('latin1')).toBe('n\xE4me;1\n')
})

test('the page of 2.63 sends the current password with a change, and a wrong password changes nothing', async () => {
  const app = await startApp({ files })
  const update = { password: 'yet another long one' }
  const refused = await change(app, ['password'], update, { current_password: 'wrong' })
  expect([refused.status, await refused.text()]).toEqual([
    400,
    '400 Bad Request (the current password is incorrect)\n',
  ])
  expect((await change(app, ['password'], update, { current_password: app.password })).status).toBe(200)
})

const search = async (app: TestApp) => (await app.fetch('/api/search/?query=m.')).text()

test('the page of 2.20 gets search results as an array, and the page of 2.63 gets lines when this is configured', async () => {
  const array = JSON.parse(await search(await startApp({ files }))) as { path: string; dir: boolean }[]
  const lines = (await search(await startApp({ files, config: { searchStream: true } })))
    .split('\n')
    .filter(Boolean)
  const paths = ['Films/m.en.vtt', 'Films/m.mkv', 'Films/subs/m.srt']
  expect(array.map(({ path }) => path)).toEqual(paths)
  expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual(paths)
})

test('an item of a listing contains exactly the fields that the pages read', async () => {
  const app = await startApp({ files })
  const { items, ...folder } = (await (await app.fetch('/api/resources/')).json()) as FolderResource
  const keys = ['extension', 'isDir', 'isSymlink', 'mode', 'modified', 'name', 'path', 'size', 'type']
  for (const item of items) expect(Object.keys(item).toSorted()).toEqual(keys)
  expect(Object.keys(folder).toSorted()).toEqual([...keys, 'numDirs', 'numFiles', 'sorting'].toSorted())
})
