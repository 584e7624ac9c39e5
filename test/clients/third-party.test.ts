import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, ann, bea, runServer, type TestUser, type RunningServer } from '../kit/run-server.ts'
import { twoColours } from '../kit/images.ts'

/**
 * These tests send the same requests as third-party programs that were written for File Browser, with the same headers
 * and URL notation. The server is the real program, and it runs below a base path. Each test covers one third-party
 * program.
 */

let server: RunningServer

beforeAll(async () => {
  const picture = await twoColours(600, 400).png().toBuffer()
  const files = { Docs: { 'hello world.txt': 'hello' }, Photos: { 'a b.png': picture } }
  server = await runServer({ files, basePath: '/fb' })
}, 60_000)
afterAll(() => server.remove())

type ClientRequestOptions = { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> }

const send = (method: string, address: string, { headers = {}, body }: ClientRequestOptions = {}) =>
  fetch(server.url + address, { method, headers, ...(body === undefined ? {} : { body }) })

async function login(
  { name, password }: TestUser,
  extraHeaders: Record<string, string> = {},
): Promise<string> {
  const body = JSON.stringify({ username: name, password, ...extraHeaders })
  const reply = await send('POST', '/api/login', { body, headers: { 'content-type': 'application/json' } })
  expect(reply.status).toBe(200)
  return reply.text()
}

const facts = async (pending: Promise<Response>) => {
  const reply = await pending
  return [reply.status, await reply.text()]
}

const jsonOf = async <T>(pending: Promise<Response>): Promise<T> => {
  const reply = await pending
  expect(reply.status).toBe(200)
  return (await reply.json()) as T
}

type FolderListing = { items: { name: string; path: string; isDir: boolean }[] }
const namesIn = async (pending: Promise<Response>) =>
  (await jsonOf<FolderListing>(pending)).items.map(({ name }) => name)

test('bookmarked URLs lead to the page, and the public paths that reverse proxies list exist', async () => {
  const page = await (await send('GET', '/')).text()
  for (const address of [
    '',
    '/files/Docs/hello%20world.txt',
    '/login?redirect=/files/',
    '/settings/users/1',
    '/share/abcdefgh/a.txt',
  ])
    expect([address, (await (await send('GET', address)).text()) === page]).toEqual([address, true])
  expect((await send('GET', '/static/manifest.webmanifest')).status).toBe(200)
  const { status } = await fetch(`http://127.0.0.1:${server.port}/api/resources/`)
  expect(status).toBe(401)
})

test.each(['/api/usage', '/api/usage/'])('the dashboard widget of homepage reads %s', async (address) => {
  const headers = { 'X-AUTH': await login(ann) }
  const usage = await jsonOf<{ total: number; used: number }>(send('GET', address, { headers }))
  expect(usage.total).toBeGreaterThan(usage.used)
  expect(usage.used).toBeGreaterThan(0)
})

test('the app for iOS checks for a server, browses, and requests a version that the server does not reveal', async () => {
  expect(await facts(send('GET', '/health'))).toEqual([200, '{"status":"OK"}'])
  const headers = { 'X-Auth': await login(ann, { recaptcha: '' }) }
  expect((await send('GET', '/api/version', { headers })).status).toBe(404)
  expect(await namesIn(send('GET', '/api/resources/', { headers }))).toEqual(['Docs', 'Photos'])
  expect(await jsonOf(send('GET', '/api/resources/Docs/hello%20world.txt', { headers }))).toMatchObject({
    name: 'hello world.txt',
    size: 5,
    type: 'text',
    content: 'hello',
    extension: '.txt',
    isDir: false,
  })
  for (const size of ['thumb', 'big']) {
    const reply = await send('GET', `/api/preview/${size}/Photos/a%20b.png`, { headers })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  }
  expect(await facts(send('GET', '/api/raw/Docs/hello%20world.txt', { headers }))).toEqual([200, 'hello'])
})

test('the app for iOS creates, copies, renames and deletes files', async () => {
  const headers = { 'X-Auth': await login(ann) }
  expect((await send('POST', '/api/resources/ios/', { headers })).status).toBe(200)
  expect((await send('POST', '/api/resources/ios/a.txt?override=false', { headers, body: 'A' })).status).toBe(
    200,
  )
  const patch = (query: string) => send('PATCH', `/api/resources/ios/a.txt?${query}`, { headers })
  expect((await patch('action=copy&destination=/ios/b.txt')).status).toBe(200)
  expect((await patch('action=copy&destination=%2Fios%2Fb.txt&override=false&rename=false')).status).toBe(409)
  expect((await patch('action=rename&destination=/ios/c%20d.txt&override=false&rename=false')).status).toBe(
    200,
  )
  expect(await namesIn(send('GET', '/api/resources/ios', { headers }))).toEqual(['b.txt', 'c d.txt'])
  expect((await send('DELETE', '/api/resources/ios/', { headers })).status).toBe(200)
  expect((await send('GET', '/api/resources/ios/', { headers })).status).toBe(404)
})

test('the app for iOS uploads in parts, with the headers of the protocol, and continues where it stopped', async () => {
  const headers = { 'X-Auth': await login(ann), 'Tus-Resumable': '1.0.0' }
  const path = '/api/tus/part%20by%20part.bin'
  const begun = await send('POST', `${path}?override=false`, {
    headers: { ...headers, 'Upload-Length': '6' },
  })
  expect([begun.status, begun.headers.get('location'), begun.headers.get('tus-resumable')]).toEqual([
    201,
    '/fb/api/tus/part%20by%20part.bin',
    '1.0.0',
  ])
  const part = (offset: number, body: string) =>
    send('PATCH', path, {
      headers: {
        ...headers,
        'Upload-Offset': String(offset),
        'Content-Type': 'application/offset+octet-stream',
      },
      body,
    })
  expect((await part(0, 'abc')).status).toBe(204)
  const state = await send('HEAD', path, { headers })
  expect([state.headers.get('upload-offset'), state.headers.get('upload-length')]).toEqual(['3', '6'])
  expect((await part(0, 'abc')).status).toBe(409)
  const last = await part(3, 'def')
  expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '6'])
  expect(await facts(send('GET', '/api/raw/part%20by%20part.bin', { headers }))).toEqual([200, 'abcdef'])
  expect((await send('DELETE', '/api/resources/part%20by%20part.bin', { headers })).status).toBe(200)
})

test('the app for iOS shares, searches and changes the view settings of its user', async () => {
  const headers = { 'X-Auth': await login(ann), 'Content-Type': 'application/json' }
  const created = await jsonOf<{ hash: string; path: string }>(
    send('POST', '/api/share/Docs/hello%20world.txt?expires=2&unit=hours', {
      headers,
      body: JSON.stringify({ password: '', expires: '2', unit: 'hours' }),
    }),
  )
  const all = await jsonOf<{ hash: string }[]>(send('GET', '/api/shares', { headers }))
  expect(all.map(({ hash }) => hash)).toContain(created.hash)
  expect(await facts(send('GET', `/api/public/dl/${created.hash}/hello%20world.txt`))).toEqual([200, 'hello'])
  expect((await send('DELETE', `/api/share/${created.hash}`, { headers })).status).toBe(200)
  expect(await jsonOf(send('GET', '/api/search/?query=hello', { headers }))).toMatchObject([
    { path: 'Docs/hello world.txt', dir: false },
  ])
  const id = idIn(headers['X-Auth'])
  const body = JSON.stringify({ what: 'user', which: ['dateFormat'], data: { id, dateFormat: true } })
  expect((await send('PUT', `/api/users/${id}`, { headers, body })).status).toBe(200)
  expect(await jsonOf(send('GET', `/api/users/${id}`, { headers }))).toMatchObject({
    dateFormat: true,
    password: '',
  })
})

const idIn = (token: string): number => {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    user: { id: number }
  }
  return claims.user.id
}

test('the app for Android shows pictures through URLs that contain its token', async () => {
  const first = await login(ann)
  const renewed = await (await send('POST', '/api/renew', { headers: { 'X-Auth': first } })).text()
  expect(renewed.split('.')).toHaveLength(3)
  const picture = '/Photos/a%20b.png'
  const response = await send('GET', `/api/raw${picture}?auth=${renewed}&inline=true`)
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('content-disposition')?.split(';')[0],
  ]).toEqual([200, 'image/png', 'inline'])
  for (const size of ['thumb', 'big'])
    expect((await send('GET', `/api/preview/${size}${picture}?auth=${renewed}`)).status).toBe(200)
  expect((await send('GET', '/api/usage/', { headers: { 'X-Auth': renewed } })).status).toBe(200)
})

test('the library from PyPI sends its token in two headers', async () => {
  const token = await login(ann, { recaptcha: '' })
  const headers = { 'X-Auth': token, Authorization: `Bearer ${token}`, Accept: 'application/json' }
  expect(await namesIn(send('GET', '/api/resources/Docs', { headers }))).toEqual(['hello world.txt'])
  expect((await send('POST', '/api/resources/lib/', { headers })).status).toBe(200)
  const upload = send('POST', '/api/resources/lib/x.bin?override=true', {
    headers: { ...headers, 'Content-Type': 'application/octet-stream' },
    body: Uint8Array.of(0, 255, 10),
  })
  expect((await upload).status).toBe(200)
  const raw = await send('GET', '/api/raw/lib/x.bin', { headers })
  expect([...new Uint8Array(await raw.arrayBuffer())]).toEqual([0, 255, 10])
  expect((await send('DELETE', '/api/resources/lib', { headers })).status).toBe(200)
})

test('the uploader in Go sends a file in one part, shares it and prints its URL', async () => {
  const headers = { 'X-Auth': await login(ann) }
  const path = '/api/tus/go.txt?override=true'
  const begun = await send('POST', path, { headers: { ...headers, 'Upload-Length': '5' } })
  expect(begun.status).toBe(201)
  const sent = await send('PATCH', path, {
    headers: { ...headers, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
    body: 'gofer',
  })
  expect(sent.status).toBe(204)
  const body = JSON.stringify({ expires: '', password: '', unit: 'hours' })
  const { hash } = await jsonOf<{ hash: string }>(send('POST', '/api/share/go.txt', { headers, body }))
  expect(await facts(send('GET', `/api/public/dl/${hash}?inline=true`))).toEqual([200, 'gofer'])
  expect((await send('DELETE', '/api/resources/go.txt', { headers })).status).toBe(200)
})

test('the uploader in Python uploads without and with permission to overwrite', async () => {
  const headers = { 'X-Auth': await login(ann), 'Content-Type': 'application/octet-stream' }
  const post = (override: boolean) =>
    send('POST', `/api/resources/py.txt?override=${override}`, { headers, body: `override ${override}` })
  expect([(await post(false)).status, (await post(false)).status, (await post(true)).status]).toEqual([
    200, 409, 200,
  ])
  expect(await facts(send('GET', '/api/raw/py.txt', { headers }))).toEqual([200, 'override true'])
  expect((await send('DELETE', '/api/resources/py.txt', { headers })).status).toBe(200)
})

test('the command line in Go uses every command, and logs in again after a 401', async () => {
  expect((await send('GET', '/api/resources/', { headers: { 'X-Auth': 'stale' } })).status).toBe(401)
  const headers = { 'X-Auth': await login(ada) }
  const verb = async (method: string, address: string, body?: string) =>
    (await send(method, address, { headers, ...(body === undefined ? {} : { body }) })).status
  expect(await verb('POST', '/api/renew')).toBe(200)
  expect(await verb('POST', '/api/resources/cli/')).toBe(200)
  expect(await verb('POST', '/api/resources/cli/a.txt', 'A')).toBe(200)
  expect(await verb('PUT', '/api/resources/cli/a.txt', 'B')).toBe(200)
  expect(await verb('PATCH', '/api/resources/cli/a.txt?action=rename&destination=%2Fcli%2Fb.txt')).toBe(200)
  expect(await jsonOf(send('GET', '/api/resources/cli/b.txt?checksum=md5', { headers }))).toMatchObject({
    checksums: { md5: '9d5ed678fe57bcca610140957afab571' },
  })
  expect(await jsonOf(send('GET', '/api/search/cli?query=b', { headers }))).toMatchObject([{ path: 'b.txt' }])
  const shared = await jsonOf<{ hash: string }>(send('POST', '/api/share/cli/', { headers, body: '{}' }))
  expect(await jsonOf(send('GET', '/api/share/cli/', { headers }))).toMatchObject([{ hash: shared.hash }])
  expect(await verb('GET', `/api/public/dl/${shared.hash}/b.txt`)).toBe(200)
  expect(await verb('DELETE', `/api/share/${shared.hash}`)).toBe(200)
  expect(await verb('DELETE', '/api/resources/cli/')).toBe(200)
})

test('the command line in Go creates, changes and removes a user', async () => {
  const headers = { 'X-Auth': await login(ada) }
  const perm = {
    admin: false,
    execute: false,
    create: true,
    rename: true,
    modify: true,
    delete: true,
    share: true,
    download: true,
  }
  const data = {
    username: 'cyd',
    password: 'cyd has a long password',
    scope: '.',
    locale: 'en',
    viewMode: 'list',
    perm,
    commands: [],
    rules: [],
  }
  const body = JSON.stringify({ what: 'user', which: [], data })
  const created = await send('POST', '/api/users', { headers, body })
  const [, id] = /^\/settings\/users\/(\d+)$/.exec(created.headers.get('location') ?? '') ?? []
  expect([created.status, await created.text(), id !== undefined]).toEqual([201, '201 Created\n', true])
  const people = await jsonOf<{ username: string }[]>(send('GET', '/api/users', { headers }))
  expect(people.map(({ username }) => username)).toEqual([ada.name, ann.name, bea.name, 'cyd'])
  const text = JSON.stringify({
    what: 'user',
    which: ['all'],
    data: { ...data, id: Number(id), password: '', locale: 'de' },
  })
  expect((await send('PUT', `/api/users/${id}`, { headers, body: text })).status).toBe(200)
  await login({ name: 'cyd', password: 'cyd has a long password' })
  expect((await send('DELETE', `/api/users/${id}`, { headers })).status).toBe(200)
})

test('the wrapper from PyPI creates settings and users on the command line, and logs them in', async () => {
  await server.cli('config', 'set', '--branding.name', 'Wrapped')
  await server.cli('users', 'add', 'wrapped', 'wrapped has a long password', '--perm.admin')
  const token = await login({ name: 'wrapped', password: 'wrapped has a long password' })
  expect(await jsonOf(send('GET', '/api/settings', { headers: { 'X-Auth': token } }))).toMatchObject({
    branding: { name: 'Wrapped' },
  })
  await server.cli('users', 'rm', 'wrapped')
  expect((await send('GET', '/api/resources/', { headers: { 'X-Auth': token } })).status).toBe(401)
}, 60_000)

test('a script may encode the whole destination once or twice', async () => {
  const headers = { 'X-Auth': await login(ann) }
  const once = encodeURIComponent('/once/a b.txt')
  const twice = encodeURIComponent(encodeURIComponent('/twice/a b.txt'))
  for (const destination of [once, twice]) {
    const path = `/api/resources/Docs/hello%20world.txt?action=copy&destination=${destination}`
    expect((await send('PATCH', path, { headers })).status).toBe(200)
  }
  for (const folder of ['once', 'twice']) {
    expect(await namesIn(send('GET', `/api/resources/${folder}`, { headers }))).toEqual(['a b.txt'])
    expect((await send('DELETE', `/api/resources/${folder}`, { headers })).status).toBe(200)
  }
})

test('a curl script works, also behind a proxy that adds override=true so that a retry is no conflict', async () => {
  const token = (await login(ann)).trim()
  const headers = { 'X-Auth': token }
  for (const body of ['first', 'again']) {
    const sent = await send('POST', '/api/resources/drop/in/deep.txt?override=true', { headers, body })
    expect(sent.status).toBe(200)
  }
  const byCookie = await send('GET', '/api/raw/drop/in/deep.txt', { headers: { Cookie: `auth=${token}` } })
  expect(await byCookie.text()).toBe('again')
  const archive = await send('GET', '/api/raw/drop/?algo=targz', { headers })
  expect([archive.status, archive.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringMatching(/filename\*=utf-8''drop\.tar\.gz$/),
  ])
  await archive.arrayBuffer()
  expect(await facts(send('DELETE', '/api/resources/drop', { headers }))).toEqual([200, '200 OK\n'])
})
