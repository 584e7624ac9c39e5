import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type {
  FileResource,
  FolderResource,
  ListingRow,
  RowStreamHead,
} from '../../shared/contract/resources.ts'
import { startApp } from '../../../test/kit/start-app.ts'

const names = ({ items }: FolderResource) => items.map((item) => item.name)

test('a folder is described in full', async () => {
  const app = await startApp({ files: { docs: { 'a.txt': 'hello world\n', sub: {} } } })
  const reply = await app.call('resources.get', { path: '/docs' })
  const folder = (await reply.json()) as FolderResource
  const [sub, text] = folder.items
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(Object.keys(folder)).toEqual([
    'items',
    'numDirs',
    'numFiles',
    'sorting',
    'path',
    'name',
    'size',
    'extension',
    'modified',
    'mode',
    'isDir',
    'isSymlink',
    'type',
  ])
  expect(folder).toMatchObject({
    numDirs: 1,
    numFiles: 1,
    path: '/docs',
    name: 'docs',
    isDir: true,
    type: '',
  })
  expect(folder.sorting).toEqual({ by: 'name', asc: false })
  expect(sub).toMatchObject({ path: '/docs/sub', name: 'sub', isDir: true, extension: '', type: '' })
  expect(text).toMatchObject({
    path: '/docs/a.txt',
    size: 12,
    extension: '.txt',
    isDir: false,
    isSymlink: false,
    type: 'text',
  })
  expect(text?.modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect((folder.mode & 0o777) + 2147483648).toBe(folder.mode)
})

test('an empty folder has an empty list', async () => {
  const app = await startApp({ files: { empty: {} } })
  expect(await (await app.call('resources.get', { path: '/empty/' })).json()).toMatchObject({
    items: [],
    numDirs: 0,
    numFiles: 0,
    path: '/empty/',
  })
})

test('a small folder is sent with a known length, and a large folder is streamed', async () => {
  const many = Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`${n}.txt`, '']))
  const app = await startApp({ files: { few: { 'a.txt': 'A' }, many } })
  for (const [path, isWhole] of [
    ['/few/', true],
    ['/few', true],
    ['/many/', false],
  ] as const) {
    const reply = await app.call('resources.get', { path })
    const text = await reply.text()
    const length = reply.headers.get('content-length')
    expect([path, length]).toEqual([path, isWhole ? String(Buffer.byteLength(text)) : null])
    expect((JSON.parse(text) as FolderResource).items).toHaveLength(path === '/many/' ? 257 : 1)
  }
})

test("a slash at the end of a file's path only changes the path in the response", async () => {
  const app = await startApp({
    files: { docs: {}, 'a.txt': 'A', link: { link: 'docs' }, dangling: { link: 'nowhere' } },
  })
  const get = async (path: string) => {
    const reply = await app.call('resources.get', { path })
    return [reply.status, reply.ok ? ((await reply.json()) as FileResource) : await reply.text()] as const
  }
  const [status, file] = await get('/a.txt')
  expect(await get('/a.txt/')).toEqual([status, { ...(file as FileResource), path: '/a.txt/' }])
  for (const path of ['/dangling', '/nope', '/a.txt/x'])
    expect(await get(`${path}/`)).toEqual(await get(path))
  expect((await get('/link/'))[1]).toMatchObject({ path: '/link/', isSymlink: true, isDir: true, items: [] })
})

test('the root has no name, and every spelling of it is the root', async () => {
  const app = await startApp({ files: { 'a.txt': 'A' } })
  for (const spelling of ['/api/resources', '/api/resources/', '/api/resources//']) {
    expect(await (await app.fetch(spelling)).json()).toMatchObject({ path: '/', name: '', numFiles: 1 })
  }
})

const many = { 'a.txt': '1', 'a1.txt': '22', 'A2.txt': '333', 'a10.txt': '4444', b: {}, a: {} }
const byName = ['a.txt', 'a1.txt', 'A2.txt', 'a10.txt']

test.each([
  ['name', false, ['a', 'b', ...byName]],
  ['name', true, ['b', 'a', ...byName.toReversed()]],
  ['size', true, ['a', 'b', ...byName]],
  ['size', false, [...byName.toReversed(), 'b', 'a']],
] as const)('sorted by %s, asc %s', async (by, asc, expected) => {
  const app = await startApp({ files: many, user: { sorting: { by, asc } } })
  const folder = (await (await app.call('resources.get', { path: '/' })).json()) as FolderResource
  const sameSize =
    by === 'size'
      ? (list: readonly string[]) => list.filter((name) => name.includes('.'))
      : (list: readonly string[]) => list
  expect(sameSize(names(folder))).toEqual(sameSize(expected))
  const foldersAt = names(folder).map((name) => !name.includes('.'))
  expect(foldersAt).toEqual(expected.map((name) => !name.includes('.')))
  expect(folder.sorting).toEqual({ by, asc })
})

test('the response for a text file of up to 10 MiB contains its content', async () => {
  const app = await startApp({
    files: { 'a.txt': 'hällo', 'empty.txt': '', README: 'read me', 'x.bin': '\0\u0001' },
  })
  await writeFile(path.join(app.disk, 'full.txt'), Buffer.alloc(10_485_760, 'a'))
  await writeFile(path.join(app.disk, 'over.txt'), Buffer.alloc(10_485_761, 'a'))
  const get = async (name: string) =>
    (await (await app.call('resources.get', { path: `/${name}` })).json()) as FileResource
  expect(await get('a.txt')).toMatchObject({ type: 'text', content: 'hällo', size: 6 })
  expect(await get('README')).toMatchObject({ type: 'text', content: 'read me' })
  expect(await get('x.bin')).toMatchObject({ type: 'blob' })
  expect(await get('empty.txt')).toMatchObject({ type: 'text' })
  expect(await get('empty.txt')).not.toHaveProperty('content')
  expect((await get('full.txt')).content).toHaveLength(10_485_760)
  expect(await get('over.txt')).toMatchObject({ type: 'blob' })
  expect(await get('over.txt')).not.toHaveProperty('content')
})

test('a text is immutable without the permission to modify, and has no content without the permission to download', async () => {
  const app = await startApp({ files: { 'a.txt': 'A' }, user: { perm: { modify: false, download: false } } })
  const file = (await (await app.call('resources.get', { path: '/a.txt' })).json()) as FileResource
  expect(file.type).toBe('textImmutable')
  expect(file).not.toHaveProperty('content')
})

test.each([
  ['absent', '/nope', 404, 'not-found'],
  ['through a file', '/a.txt/x', 404, 'not-a-folder'],
  ['a dangling link', '/dangling', 404, 'broken-link'],
  ['a link that leads out', '/out', 403, 'forbidden'],
  ['behind a link that leads out', '/out/passwd', 403, 'forbidden'],
  ['behind it, where nothing is', '/out/nope', 403, 'forbidden'],
])('an entry that is %s cannot be shown', async (_case, target, status, code) => {
  const app = await startApp({
    files: { 'a.txt': 'A', dangling: { link: 'nowhere' }, out: { link: '/etc' } },
  })
  const reply = await app.call('resources.get', { path: target })
  expect([reply.status, reply.headers.get('x-error')]).toEqual([status, code])
})

test('links inside the scope are followed, links that lead out of the scope are omitted, and dangling links are shown as broken', async () => {
  const app = await startApp({
    files: {
      docs: { 'a.txt': 'A' },
      inside: { link: 'docs' },
      out: { link: '/etc' },
      dangling: { link: 'nowhere' },
    },
  })
  const folder = (await (await app.call('resources.get', { path: '/' })).json()) as FolderResource
  expect(folder.items.map(({ name, isDir, isSymlink, type }) => [name, isDir, isSymlink, type])).toEqual([
    ['docs', true, false, ''],
    ['inside', true, true, ''],
    ['dangling', false, true, 'invalid_link'],
  ])
  expect(await (await app.call('resources.get', { path: '/inside' })).json()).toMatchObject({
    numFiles: 1,
    isSymlink: true,
  })
})

test('a rule hides a folder with everything below it, and a later rule allows a part of it', async () => {
  const rule = { regex: false, regexp: null }
  const rules = [
    { ...rule, allow: false, path: '/docs' },
    { ...rule, allow: true, path: '/docs/sub' },
  ]
  const files = { docs: { 'a.txt': 'A', sub: { 'b.txt': 'B' } }, docs2: {} }
  const app = await startApp({ files, user: { rules } })
  const status = async (raw: string) => (await app.fetch(`/api/resources${raw}`)).status
  expect(names((await (await app.call('resources.get', { path: '/' })).json()) as FolderResource)).toEqual([
    'docs2',
  ])
  for (const denied of [
    '/docs',
    '/docs/',
    '/docs/a.txt',
    '/docs/nope',
    '//docs/a.txt',
    '/%64ocs',
    '/docs%2F',
  ])
    expect([denied, await status(denied)]).toEqual([denied, denied === '/docs%2F' ? 400 : 403])
  for (const open of ['/docs2', '/docs/sub', '/docs/sub/b.txt']) expect(await status(open)).toBe(200)
  for (const climbing of ['/docs2/../docs', '/docs2/%2e%2e/docs', '/./docs'])
    expect(await app.rawStatus('GET', `/api/resources${climbing}`)).toBe(400)
})

test('hidden dotfiles are neither listed nor shown, but entries inside a hidden folder are', async () => {
  const app = await startApp({
    files: { '.git': { config: 'c' }, '.env': 'e', 'a.txt': 'A' },
    user: { hideDotfiles: true },
  })
  expect(names((await (await app.call('resources.get', { path: '/' })).json()) as FolderResource)).toEqual([
    'a.txt',
  ])
  const status = async (target: string) => (await app.call('resources.get', { path: target })).status
  expect([
    await status('/.env'),
    await status('/.git'),
    await status('/.nope'),
    await status('/.git/config'),
  ]).toEqual([403, 403, 403, 200])
})

test('unusual names are returned unchanged', async () => {
  const odd = [
    'a b',
    'a+b',
    '100%',
    'a,b',
    'a#b',
    'a?b',
    'a&b',
    'quo"te',
    "it's",
    '😀',
    '-dash',
    'back\\slash',
    'line\nbreak',
  ]
  const app = await startApp({ files: Object.fromEntries(odd.map((name) => [name, name])) })
  const folder = (await (await app.call('resources.get', { path: '/' })).json()) as FolderResource
  expect(names(folder).toSorted()).toEqual(odd.toSorted())
  for (const name of odd)
    expect(await (await app.call('resources.get', { path: `/${name}` })).json()).toMatchObject({
      name,
      content: name,
    })
})

test('a user sees nothing outside of their scope, and a missing scope is not the root', async () => {
  const files = { people: { ann: { 'mine.txt': 'M' } }, 'secret.txt': 'S' }
  const ann = await startApp({ files, user: { scope: '../people/ann' } })
  expect(names((await (await ann.call('resources.get', { path: '/' })).json()) as FolderResource)).toEqual([
    'mine.txt',
  ])
  const lost = await startApp({ files, user: { scope: '/people/lost' } })
  expect((await lost.call('resources.get', { path: '/' })).status).toBe(404)
  expect((await lost.call('resources.create', { path: '/x.txt', body: 'X' })).status).toBe(404)
  await mkdir(path.join(lost.disk, 'people/lost'))
  expect((await lost.call('resources.get', { path: '/' })).status).toBe(200)
})

async function rowsOf(reply: Response): Promise<{ head: RowStreamHead; rows: ListingRow[] }> {
  const [head, ...lines] = (await reply.text()).trimEnd().split('\n')
  return {
    head: JSON.parse(head ?? '') as RowStreamHead,
    rows: lines.flatMap((line) => JSON.parse(line) as ListingRow[]),
  }
}

const acceptRows = { accept: 'application/x-ndjson' }

test('the row stream begins with the head, and folders come before files', async () => {
  const app = await startApp({ files: many })
  await symlink('a.txt', path.join(app.disk, 'link'))
  const reply = await app.call('resources.get', {
    path: '/',
    query: { by: 'size', asc: 'false' },
    headers: acceptRows,
  })
  const { head, rows } = await rowsOf(reply)
  expect(reply.headers.get('content-type')).toBe('application/x-ndjson')
  expect(head).toMatchObject({
    total: 7,
    numDirs: 2,
    numFiles: 5,
    path: '/',
    sorting: { by: 'size', asc: false },
  })
  expect(head).not.toHaveProperty('items')
  expect(rows.slice(2).map((row) => row[1])).toEqual([4, 3, 2, 1, 1])
  expect(rows.slice(0, 2).map((row) => [row[3], row[4]])).toEqual([
    ['', 1],
    ['', 1],
  ])
  expect(rows.find((row) => row[0] === 'link')).toEqual([
    'link',
    1,
    expect.any(Number),
    expect.any(String),
    2,
  ])
})

test('the first line of rows is shorter than the later ones', async () => {
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`f${n}.txt`, '']))
  const app = await startApp({ files })
  const text = await (await app.call('resources.get', { path: '/', headers: acceptRows })).text()
  const lines = text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => (JSON.parse(line) as ListingRow[]).length)
  expect(lines[0]).toBeLessThanOrEqual(256)
  expect(lines.reduce((sum, n) => sum + n)).toBe(600)
})

test('unchanged rows are not sent again, and a file that grew in place is noticed', async () => {
  const app = await startApp({ files: { 'a.txt': 'A', 'b.txt': 'B' } })
  const requestRows = (etag = '""') =>
    app.call('resources.get', { path: '/', headers: { ...acceptRows, 'if-none-match': etag } })
  const first = await requestRows()
  await first.text()
  const etag = first.headers.get('etag') ?? ''
  const again = await requestRows(etag)
  expect([again.status, await again.text()]).toEqual([304, ''])
  await writeFile(path.join(app.disk, 'a.txt'), 'longer', { flag: 'a' })
  const grown = await requestRows(etag)
  expect([grown.status, (await rowsOf(grown)).rows[0]?.[1]]).toEqual([200, 7])
})

test('an unknown order of rows is refused', async () => {
  const app = await startApp({ files: {} })
  expect(
    (await app.call('resources.get', { path: '/', query: { by: 'colour' }, headers: acceptRows })).status,
  ).toBe(400)
})

test('an entry can be described without the items of a folder and without the content of a file', async () => {
  const app = await startApp({ files: { docs: { 'a.txt': 'hello', gone: { link: 'nothing' } } } })
  const describe = async (path: string) => {
    const reply = await app.call('resources.get', { path, query: { describe: 'true' } })
    return [reply.status, reply.status === 200 ? await reply.json() : null]
  }
  const common = ['path', 'name', 'size', 'extension', 'modified', 'mode', 'isDir', 'isSymlink', 'type']
  for (const [path, facts] of [
    ['/docs', { name: 'docs', isDir: true, type: '' }],
    ['/docs/', { name: 'docs', path: '/docs/', isDir: true }],
    ['/docs/a.txt', { name: 'a.txt', size: 5, isDir: false, type: 'text' }],
    ['/docs/gone', { name: 'gone', isSymlink: true }],
  ] as const) {
    const [status, described] = await describe(path)
    expect([status, described, Object.keys(described as object)]).toEqual([
      200,
      expect.objectContaining(facts),
      common,
    ])
  }
  expect(await describe('/docs/none')).toEqual([404, null])
})
