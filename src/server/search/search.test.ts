import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { ListingRow } from '../../shared/contract/resources.ts'
import type { SearchHit } from '../../shared/contract/search.ts'
import type { AccessRule } from '../../shared/domain/access.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

const rule = (path: string, allow = false): AccessRule => ({ regex: false, allow, path, regexp: null })

type ParsedSearchHit = { readonly dir: boolean; readonly isDir: boolean; readonly path: string }

async function hitsOf(app: Pick<TestApp, 'call'>, query: string, folder = '/'): Promise<string[]> {
  const reply = await app.call('search.get', { path: folder, query: { query } })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  return ((await reply.json()) as ParsedSearchHit[]).map(({ path, isDir }) => (isDir ? `${path}/` : path))
}

const files = {
  'Zebra.txt': 'z',
  'a.txt': 'a',
  sub: { 's.txt': 's', deeper: { 'Sub.md': '' } },
  'sub.pdf': 'p',
  other: { 'x.pdf': '' },
}

test('hits are an array of paths below the searched folder, depth first, in byte order (contract 7)', async () => {
  const app = await startApp({ files })
  const reply = await app.call('search.get', { path: '/', query: { query: 'sub' } })
  expect(await reply.text()).toBe(
    '[{"dir":true,"isDir":true,"path":"sub"},{"dir":false,"isDir":false,"path":"sub/deeper/Sub.md"},{"dir":false,"isDir":false,"path":"sub.pdf"}]',
  )
  expect(await hitsOf(app, '')).toEqual([
    'Zebra.txt',
    'a.txt',
    'other/',
    'other/x.pdf',
    'sub/',
    'sub/deeper/',
    'sub/deeper/Sub.md',
    'sub/s.txt',
    'sub.pdf',
  ])
  expect(await hitsOf(app, 'sub', '/sub')).toEqual(['deeper/Sub.md'])
  expect(await hitsOf(app, 'type:pdf', '/other/')).toEqual(['x.pdf'])
})

test('a search counts accents, as in File Browser, unless the client asks to ignore them', async () => {
  const app = await startApp({ files: { 'Café.txt': '', 'cafe\u0301.md': '', 'cafe.txt': '' } })
  expect(await hitsOf(app, 'café')).toEqual(['Café.txt'])
  const query = { query: 'cafe', ignoreAccents: 'true' }
  const reply = await app.call('search.get', { path: '/', query })
  const paths = ((await reply.json()) as ParsedSearchHit[]).map(({ path }) => path)
  expect(paths).toEqual(['Café.txt', 'cafe.txt', 'cafe\u0301.md'])
})

test('a search finds abbreviations only when the client asks for them, after the names that contain the text', async () => {
  const app = await startApp({
    files: {
      'user-settings': { 'control.ts': 'x', 'usctl.md': '' },
      'quarterly-report.pdf': 'four',
      'zebra.txt': '',
    },
  })
  expect(await hitsOf(app, 'usctl')).toEqual(['user-settings/usctl.md'])
  const find = async (query: string) => {
    const reply = await app.call('search.get', {
      path: '/',
      query: { query, abbreviations: 'true' },
      headers: { accept: 'application/x-ndjson' },
    })
    const lines = (await reply.text()).split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as { readonly path: string; readonly size: number })
  }
  expect((await find('usctl')).map(({ path }) => path)).toEqual([
    'user-settings/usctl.md',
    'user-settings/control.ts',
  ])
  expect(await find('qrep')).toMatchObject([{ path: 'quarterly-report.pdf', size: 4 }])
  expect(await find('q'.repeat(100))).toEqual([])
})

test.each(['/none', '/a.txt', '/none/x', '/a.txt/x'])(
  'a search below %s, which is missing or not a folder, returns 200 without hits (contract 7)',
  async (start) => {
    const app = await startApp({ files })
    expect(await hitsOf(app, '', start)).toEqual([])
  },
)

test('a denied folder is no hit but is searched, and a hidden folder is not searched (contract 1.7)', async () => {
  const app = await startApp({
    files: {
      denied: { open: { 'hit.txt': '' }, 'hit.txt': '' },
      '.git': { 'hit.txt': '', deep: { 'hit.txt': '' } },
      '.hit.txt': '',
      'hit.txt': '',
    },
    user: { hideDotfiles: true, rules: [rule('/denied'), rule('/denied/open', true)] },
  })
  expect(await hitsOf(app, 'hit')).toEqual(['denied/open/hit.txt', 'hit.txt'])
  expect(await hitsOf(app, '')).toEqual(['denied/open/', 'denied/open/hit.txt', 'hit.txt'])
  expect((await app.call('search.get', { path: '/denied' })).status).toBe(403)
  expect((await app.call('search.get', { path: '/.git' })).status).toBe(403)
  expect((await app.call('search.get', { path: '/.none' })).status).toBe(403)
  expect(await hitsOf(app, 'hit', '/denied/open')).toEqual(['hit.txt'])
  expect(await hitsOf(app, 'hit', '/.git/deep')).toEqual(['hit.txt'])
})

test('links are hits but are not followed, and links out of the scope or to denied entries are no hits (contract 7)', async () => {
  const app = await startApp({
    files: {
      real: { 'in.txt': '', secret: { 'in.txt': '' } },
      'in-folder': { link: 'real' },
      'in-file': { link: 'real/in.txt' },
      'in-dangling': { link: 'real/none' },
      'in-denied': { link: 'real/secret' },
      'in-out': { link: '/etc' },
    },
    user: { rules: [rule('/real/secret')] },
  })
  expect(await hitsOf(app, 'in')).toEqual(['in-dangling', 'in-file', 'in-folder', 'real/in.txt'])
  expect(await hitsOf(app, 'in', '/in-folder')).toEqual(['in.txt'])
})

test('a search below a link applies the rules of the requested path as well (contract 1.7)', async () => {
  const app = await startApp({
    files: { real: { a: { hit: '' }, b: { hit: '' }, c: { hit: '' } }, alias: { link: 'real' } },
    user: { rules: [rule('/alias/a'), rule('/real/b')] },
  })
  expect(await hitsOf(app, 'hit', '/alias')).toEqual(['c/hit'])
})

test('entries outside of the scope are not found', async () => {
  const app = await startApp({ files: { ann: { hit: '' }, ben: { hit: '' } }, user: { scope: '/ann' } })
  expect(await hitsOf(app, 'hit')).toEqual(['hit'])
})

test('names with invalid UTF-8 and with quotation marks are escaped as JSON', async () => {
  const app = await startApp({ files: { 'a "quoted" name': '', 'line\nbreak': '' } })
  await writeFile(Buffer.concat([Buffer.from(`${app.disk}/raw`), Buffer.from([0xff])]), '')
  expect(await hitsOf(app, '')).toEqual(['a "quoted" name', 'line\nbreak', 'raw\udcff'])
})

test('hits are sent as lines to a client that requests lines (contract 7)', async () => {
  const app = await startApp({ files })
  const reply = await app.call('search.get', {
    path: '/',
    query: { query: 'sub' },
    headers: { accept: 'application/x-ndjson' },
  })
  expect(reply.headers.get('content-type')).toBe('application/x-ndjson')
  const text = await reply.text()
  expect(text.replaceAll(/,"size":.*?(?=\})/g, '')).toBe(
    '{"dir":true,"isDir":true,"path":"sub"}\n{"dir":false,"isDir":false,"path":"sub/deeper/Sub.md"}\n' +
      '{"dir":false,"isDir":false,"path":"sub.pdf"}\n',
  )
})

test('the lines that a client requests describe each hit as its listing does, and other responses do not (decision 70)', async () => {
  const app = await startApp({
    files: {
      'hit.txt': '12345',
      'hit.dir': {},
      secret: 'x',
      'hit.link': { link: 'hit.txt' },
      'hit.folder-link': { link: 'hit.dir' },
      'hit.broken': { link: 'none' },
      'hit.denied-link': { link: 'secret' },
      'hit.denied': 'x',
      empty: { 'hit.deep': '' },
    },
    user: { rules: [rule('/secret'), rule('/hit.denied')] },
  })
  const search = (accept: string) =>
    app.call('search.get', { path: '/', query: { query: 'hit' }, headers: { accept } })
  const listing = await app.call('resources.get', { path: '/', headers: { accept: 'application/x-ndjson' } })
  const rows = (await listing.text())
    .trim()
    .split('\n')
    .slice(1)
    .flatMap((line) => JSON.parse(line) as ListingRow[])
    .filter(([name]) => name.startsWith('hit'))
    .map(([name, sizeBytes, modifiedMs, , flags]) => [name, sizeBytes, modifiedMs, flags])
  const hits = (await (await search('application/x-ndjson')).text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SearchHit)
    .map(({ path, size, modifiedMs, flags }) => [path, size, modifiedMs, flags])
  expect(hits.find(([path]) => path === 'empty/hit.deep')?.[1]).toBe(0)
  expect(new Set(hits.filter(([path]) => path !== 'empty/hit.deep'))).toEqual(new Set(rows))
  expect(rows).toHaveLength(5)
  expect(await (await search('application/json')).text()).not.toContain('size')
})

test('hits are sent as lines to every client with --searchStream (contract 7)', async () => {
  const app = await startApp({ files, config: { searchStream: true } })
  const reply = await app.call('search.get', { path: '/', query: { query: 'zebra' } })
  expect(await reply.text()).toBe('{"dir":false,"isDir":false,"path":"Zebra.txt"}\n')
})

test('a search without a login is 401, and a repeated query key is 400', async () => {
  const app = await startApp({ files })
  expect((await app.fetch('/api/search/?query=a', { token: null })).status).toBe(401)
  expect((await app.fetch('/api/search/?query=a&query=b')).status).toBe(400)
  expect(await app.rawStatus('GET', '/api/search/%2e%2e/?query=a')).toBe(400)
})

/** Creates so many folders that a search takes some time. */
async function manyFolders(disk: string): Promise<void> {
  for (let index = 0; index < 40; index += 1) {
    await mkdir(path.join(disk, `f${index}`))
    await Promise.all(
      Array.from({ length: 100 }, (_, deep) => mkdir(path.join(disk, `f${index}`, `hit${deep}`))),
    )
  }
}

test('first hits arrive before the search has ended, and the search ends when the client disconnects (contract 7)', async () => {
  const app = await startApp({ files: {} })
  await manyFolders(app.disk)
  for (let round = 0; round < 6; round += 1) {
    const disconnect = new AbortController()
    const reply = await app.fetch('/api/search/?query=hit', { signal: disconnect.signal })
    const first = await reply.body?.getReader().read()
    expect(new TextDecoder().decode(first?.value as Uint8Array)).toMatch(/^\[\{"dir":true/)
    disconnect.abort()
  }
  // A user may run two concurrent searches. If the six searches above were still running, this search would wait
  // forever.
  expect(await hitsOf(app, 'hit')).toHaveLength(4000)
})
