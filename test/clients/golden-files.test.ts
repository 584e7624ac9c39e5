import { symlink, truncate, utimes } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { FileResource, FolderResource } from '../../src/shared/contract/resources.ts'
import { twoColours } from '../kit/images.ts'
import { startApp, treeOf, type TestApp, type SignedInUser } from '../kit/start-app.ts'
import { zipNames } from './zip-names.ts'

/**
 * These tests cover the golden cases about files in contract 20 and are named by the numbers of the cases. They build
 * URLs as clients do, without our own path functions.
 */

const encode = (name: string): string => encodeURIComponent(name)

const listed = async (person: SignedInUser, folder = '/') =>
  (await (await person.fetch(`/api/resources${folder}`)).json()) as FolderResource

const described = async (person: SignedInUser, file: string) =>
  (await (await person.fetch(`/api/resources${file}`)).json()) as FileResource

const status = async (pending: Promise<Response>): Promise<number> => (await pending).status

const patch = (person: SignedInUser, from: string, query: Record<string, string>) =>
  person.fetch(`/api/resources${from}?${new URLSearchParams(query).toString()}`, { method: 'PATCH' })

const zipOf = async (reply: Response) => zipNames(Buffer.from(await reply.arrayBuffer()))

test('case 3: the six sort orders are applied and stored', async () => {
  const files = { 'a10.txt': '1', 'A2.txt': '333', 'a1.txt': '22', 'a.txt': '4444', x: {}, Y: {} }
  const app = await startApp({ files })
  const times = ['A2.txt', 'x', 'a.txt', 'a10.txt', 'Y', 'a1.txt']
  for (const [at, name] of times.entries())
    await utimes(path.join(app.disk, name), 1_700_000_000 + at, 1_700_000_000 + at)
  const order = async (by: string, asc: boolean) => {
    const data = { id: app.user.id, sorting: { by, asc } }
    const body = JSON.stringify({ what: 'user', which: ['sorting'], data })
    expect(await status(app.fetch(`/api/users/${app.user.id}`, { method: 'PUT', body }))).toBe(200)
    const { items, sorting } = await listed(app)
    expect(sorting).toEqual({ by, asc })
    return items.map(({ name }) => name).join(' ')
  }
  expect(await order('name', false)).toBe('x Y a.txt a1.txt A2.txt a10.txt')
  expect(await order('name', true)).toBe('Y x a10.txt A2.txt a1.txt a.txt')
  expect(await order('size', true)).toMatch(/^(x Y|Y x) a10\.txt a1\.txt A2\.txt a\.txt$/)
  expect(await order('size', false)).toMatch(/^a\.txt A2\.txt a1\.txt a10\.txt (x Y|Y x)$/)
  expect(await order('modified', true)).toBe(times.join(' '))
  expect(await order('modified', false)).toBe(times.toReversed().join(' '))
})

test('case 4: a text of ten megabytes is shown with its content, and a larger file is a blob without content', async () => {
  const app = await startApp({ files: { 'most.txt': '', 'more.txt': '' } })
  await truncate(path.join(app.disk, 'most.txt'), 10_485_760)
  await truncate(path.join(app.disk, 'more.txt'), 10_485_761)
  const most = await described(app, '/most.txt')
  expect([most.type, most.content?.length]).toEqual(['text', 10_485_760])
  const oversized = await described(app, '/more.txt')
  expect([oversized.type, 'content' in oversized]).toEqual(['blob', false])
})

test('case 5: an empty text file has the type text and no content key', async () => {
  const app = await startApp({ files: { 'a.txt': '' } })
  const description = await described(app, '/a.txt')
  expect([description.type, 'content' in description]).toEqual(['text', false])
})

const post = (person: SignedInUser, path: string) =>
  status(person.fetch(`/api/resources${path}`, { method: 'POST', body: 'new' }))

test('case 6: an upload over an existing file, without the permission, and over a folder', async () => {
  const app = await startApp({
    files: { docs: { 'kept.txt': 'k' } },
    users: { bob: { perm: { modify: false } } },
  })
  const bob = await app.signIn('bob')
  expect(await post(app, '/a.txt')).toBe(200)
  expect(await post(app, '/a.txt')).toBe(409)
  expect(await post(bob, '/a.txt?override=true')).toBe(403)
  expect(await post(app, '/a.txt?override=true')).toBe(200)
  expect(await post(app, '/docs?override=true')).toBe(409)
  expect(await treeOf(app.disk)).toEqual({ 'a.txt': 'new', docs: { 'kept.txt': 'k' } })
})

test('case 7: copies in the same folder get the next free number', async () => {
  const app = await startApp({ files: { 'x.txt': 'X', 'x.tar.gz': 'T' } })
  for (const from of ['/x.txt', '/x.txt', '/x.txt', '/x.tar.gz'])
    expect(await status(patch(app, from, { action: 'copy', destination: from, rename: 'true' }))).toBe(200)
  expect(Object.keys(await treeOf(app.disk)).toSorted()).toEqual(
    ['x.txt', 'x(1).txt', 'x(2).txt', 'x(3).txt', 'x.tar.gz', 'x.tar(1).gz'].toSorted(),
  )
})

test.each([
  ['into itself', '/docs', { action: 'copy', destination: '/docs/deeper' }, 400],
  ['of the root', '/', { action: 'rename', destination: '/b' }, 403],
  ['onto the root', '/docs', { action: 'rename', destination: '/' }, 403],
  ['onto an existing entry', '/docs', { action: 'copy', destination: '/a.txt' }, 409],
  ['of a missing entry', '/nope', { action: 'rename', destination: '/b' }, 404],
  ['of a missing entry onto an existing entry', '/nope', { action: 'rename', destination: '/a.txt' }, 409],
  ['with an unknown action', '/docs', { action: 'fly', destination: '/b' }, 400],
  ['without a destination', '/docs', { action: 'copy' }, 400],
])('case 8: a move %s', async (_case, from, query, expected) => {
  const files = { docs: { 'b.txt': 'b' }, 'a.txt': 'a' }
  const app = await startApp({ files })
  expect(await status(patch(app, from, query as Record<string, string>))).toBe(expected)
  expect(await treeOf(app.disk)).toEqual(files)
})

const names = [
  'a b.png',
  'a+b.png',
  '100%.png',
  '50%25.png',
  'a,b.png',
  'a#b.png',
  'a?b.png',
  'a&b=c.png',
  `it's "quoted".png`,
  '😀.png',
  '-dash.png',
]

test('case 9: entries with any name can be uploaded, listed, renamed, archived, shared and previewed', async () => {
  const app = await startApp({ files: { in: {}, out: {} } })
  const picture = await twoColours(20, 10).png().toBuffer()
  for (const name of names) {
    const upload = app.fetch(`/api/resources/in/${encode(name)}`, {
      method: 'POST',
      body: new Uint8Array(picture),
    })
    expect([name, await status(upload)]).toEqual([name, 200])
  }
  expect((await listed(app, '/in/')).items.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  const chosen = encode(names.map(encode).join(','))
  expect(await zipOf(await app.fetch(`/api/raw/in/?files=${chosen}&algo=zip`))).toEqual(
    names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).toSorted(),
  )
  for (const name of names) {
    const path = `/in/${encode(name)}`
    const facts = [
      name,
      await status(app.fetch(`/api/preview/thumb${path}?inline=true`)),
      await downloadedBytesOfShare(app, path),
    ]
    expect(facts).toEqual([name, 200, picture.length])
    // The client encodes each name once, and then the whole path once more.
    const destination = encode(`/out/${encode(name)}`)
    const move = app.fetch(`/api/resources${path}?action=rename&destination=${destination}`, {
      method: 'PATCH',
    })
    expect([name, await status(move)]).toEqual([name, 200])
  }
  expect((await listed(app, '/out/')).items.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

/** Creates a share and returns the number of bytes that a guest downloads through it. */
async function downloadedBytesOfShare(app: TestApp, path: string): Promise<number> {
  const response = await app.fetch(`/api/share${path}`, { method: 'POST', body: '{}' })
  const { hash } = (await response.json()) as { hash: string }
  const reply = await app.fetch(`/api/public/dl/${hash}`, { token: null })
  return (await reply.arrayBuffer()).byteLength
}

test.each(['', '/', '//', '/.', '/./', '/docs/..', '/docs/%2e%2e', '/%2e', '/docs/../'])(
  'case 10: deleting "%s" is refused, and nothing is lost',
  async (spelling) => {
    const files = { docs: { 'a.txt': 'a' } }
    const app = await startApp({ files })
    expect([400, 403]).toContain(await app.rawStatus('DELETE', `/api/resources${spelling}`))
    expect(await treeOf(app.disk)).toEqual(files)
  },
)

const rule = (allow: boolean, path: string) => ({ regex: false, allow, path, regexp: null })

test('case 11: a rule denies exactly one folder with its contents, in every notation, and a later rule allows a part of it', async () => {
  const files = { docs: { 'a.txt': 'a', sub: { 'b.txt': 'b' } }, docs2: { 'c.txt': 'c' } }
  const app = await startApp({ files, user: { rules: [rule(false, '/docs')] } })
  const closed = [
    '/docs',
    '/docs/',
    '/docs/a.txt',
    '/docs/nope',
    '//docs',
    '/%64ocs/a.txt',
    '/docs//a.txt',
    '/docs/sub',
  ]
  for (const path of closed)
    expect([path, await app.rawStatus('GET', `/api/resources${path}`)]).toEqual([path, 403])
  for (const path of ['/docs/./a.txt', '/docs2/../docs/a.txt', '/docs%2fa.txt'])
    expect([path, await app.rawStatus('GET', `/api/resources${path}`)]).toEqual([path, 400])
  expect(await status(app.fetch('/api/resources/docs2/c.txt'))).toBe(200)
  const open = await startApp({ files, user: { rules: [rule(false, '/docs'), rule(true, '/docs/sub')] } })
  expect(await status(open.fetch('/api/resources/docs/sub/b.txt'))).toBe(200)
  expect(await zipOf(await open.fetch('/api/raw/'))).toEqual(['docs2/', 'docs2/c.txt'])
})

test('case 12: hidden dotfiles are not listed, not archived, and cannot be accessed', async () => {
  const app = await startApp({
    files: { '.git': { x: 'x' }, '.env': 'e', 'a.txt': 'a' },
    user: { hideDotfiles: true },
  })
  expect((await listed(app)).items.map(({ name }) => name)).toEqual(['a.txt'])
  expect(await status(app.fetch('/api/resources/.env'))).toBe(403)
  expect(await zipOf(await app.fetch('/api/raw/'))).toEqual(['a.txt'])
})

test('case 13: the names and contents of archives, and a range of a file', async () => {
  const app = await startApp({ files: { docs: { 'a.txt': 'hello', 'b.txt': 'B', sub: { 'c.txt': 'C' } } } })
  const named = async (address: string) => {
    const reply = await app.fetch(address)
    return [reply.headers.get('content-disposition')?.replace(/.*utf-8''/, ''), await zipOf(reply)]
  }
  expect(await named('/api/raw/docs')).toEqual(['docs.zip', ['a.txt', 'b.txt', 'sub/', 'sub/c.txt']])
  expect(await named('/api/raw/docs/?files=a.txt,b.txt')).toEqual(['_docs.zip', ['a.txt', 'b.txt']])
  expect(await named('/api/raw/docs?files=sub,b.txt')).toEqual(['_docs.zip', ['b.txt', 'sub/', 'sub/c.txt']])
  const part = await app.fetch('/api/raw/docs/a.txt', { headers: { range: 'bytes=1-2' } })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    'bytes 1-2/5',
    'el',
  ])
})

test('case 15: a link to outside the scope is hidden, a link inside the scope is followed, and a broken link is marked', async () => {
  const app = await startApp({ files: { docs: { 'a.txt': 'a' } } })
  await symlink('/etc', path.join(app.disk, 'out'))
  await symlink('docs', path.join(app.disk, 'in'))
  await symlink('nowhere', path.join(app.disk, 'broken'))
  const { items } = await listed(app)
  expect(Object.fromEntries(items.map(({ name, type }) => [name, type]))).toEqual({
    docs: '',
    in: '',
    broken: 'invalid_link',
  })
  for (const at of ['/out', '/out/passwd', '/out/nope'])
    expect([at, await status(app.fetch(`/api/resources${at}`))]).toEqual([at, 403])
  expect(await (await app.fetch('/api/raw/in/a.txt')).text()).toBe('a')
})
