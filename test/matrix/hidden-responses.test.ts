import { once } from 'node:events'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ChangeMessage } from '../../src/shared/contract/events.ts'
import { runCommandLine } from '../kit/command-socket.ts'
import { treeOf } from '../kit/start-app.ts'
import type { FileTree } from '../kit/tree.ts'
import {
  denied,
  expectNoLeak,
  linkNames,
  mark,
  openHiddenPathsContext,
  secret,
  sibling,
  type HiddenPathsContext,
  type TestShareName,
} from './hidden-paths-context.ts'

let context: HiddenPathsContext

beforeAll(async () => {
  context = await openHiddenPathsContext()
})
afterAll(() => context.close())

const rows = { accept: 'application/x-ndjson' }
type WholeFolderRequest = {
  readonly requestTarget: string
  readonly headers?: Readonly<Record<string, string>>
}

const wholeFolderRequests: readonly WholeFolderRequest[] = [
  ...['/', '/docs', '/docs/', '/docs/subs', '/links/'].flatMap((path) => [
    { requestTarget: `/api/resources${path}` },
    { requestTarget: `/api/resources${path}`, headers: rows },
    { requestTarget: `/api/resources${path}?by=size&asc=true`, headers: rows },
  ]),
  ...['', 'docs', 'links'].flatMap((path) => [
    { requestTarget: `/api/resources/recursive/${path}` },
    { requestTarget: `/api/raw/${path}?algo=tar` },
    { requestTarget: `/api/raw/${path}?algo=zip` },
    { requestTarget: `/api/usage/${path}` },
  ]),
  ...['', 'a', 't', mark, 'srt', 'dot', 'denied', 'to-', '.', 'type:image', 'type:srt'].flatMap((query) => [
    { requestTarget: `/api/search/?query=${query}` },
    { requestTarget: `/api/search/docs?query=${query}`, headers: rows },
  ]),
  { requestTarget: '/api/resources/docs/film.mp4' },
  { requestTarget: '/api/shares' },
  { requestTarget: '/api/share/docs' },
]

test.each(wholeFolderRequests)(
  'a request for a whole folder does not show hidden entries: $requestTarget',
  async ({ requestTarget, headers = {} }) => {
    const response = await context.send({ method: 'GET', requestTarget, headers })
    expect(response.status).toBe(200)
    expectNoLeak(response)
  },
)

test('a listing counts what it shows', async () => {
  const response = await context.send({ method: 'GET', requestTarget: '/api/resources/docs' })
  const { items, numDirs, numFiles } = JSON.parse(response.text) as {
    readonly items: readonly { readonly name: string; readonly subtitles?: readonly string[] }[]
    readonly numDirs: number
    readonly numFiles: number
  }
  expect(items.map(({ name }) => name)).toEqual(['subs', 'a.txt', 'b.txt', 'film.mp4', 'film.srt'])
  expect([numDirs, numFiles]).toEqual([1, 4])
  expect(items.flatMap(({ subtitles = [] }) => subtitles)).toEqual(['/docs/film.srt', '/docs/subs/own.srt'])
})

/**
 * Values of the query parameter `files`, relative to the root of the scope. Each value names an entry that Ann may not
 * access.
 */
const unreachable = [
  denied,
  `${denied}/a.txt`,
  `${denied}/deep`,
  `docs/file-${mark}.txt`,
  `docs/.dot-${mark}`,
  ...linkNames.map((name) => `docs/${name}`),
  'docs/to-denied/a.txt',
  `docs/to-denied/deep/${mark}.txt`,
  'docs/to-sibling/a.txt',
  `docs/to-above/${sibling}/a.txt`,
  'docs/to-outside/a.txt',
  `../${sibling}/a.txt`,
  `%2e%2e/${sibling}/a.txt`,
  `docs/%2e%2e/${denied}/a.txt`,
]

const archives = ['tar', 'zip'].flatMap((algo) => unreachable.map((name) => ({ algo, name })))

test.each(archives)(
  'an archive of named entries omits an inaccessible entry: $algo, $name',
  async ({ algo, name }) => {
    const requestTargetsFor = (names: readonly string[]) => {
      const query = new URLSearchParams({ algo, files: names.join(',') }).toString()
      return ['/api/raw/', `/api/public/dl/${context.hashes.all}/`].map(
        (requestTarget) => `${requestTarget}?${query}`,
      )
    }
    for (const requestTarget of requestTargetsFor([name, 'docs/a.txt', 'links/a.txt'])) {
      const response = await context.send({ method: 'GET', requestTarget })
      expectNoLeak(response)
      expect(response.status).toBe(200)
      expect(response.text).toContain('docs/a.txt')
    }
    // The archive of a single entry is named after the entry, and the client sent this name itself, so only the content
    // is checked.
    for (const requestTarget of requestTargetsFor([name]))
      expect((await context.send({ method: 'GET', requestTarget })).text).not.toContain(secret)
  },
)

const calls = ['share', 'dl'] as const
const guestCases: readonly (readonly [title: string, of: TestShareName, rest: string, status: number])[] = [
  ['a denied file', 'docs', `/file-${mark}.txt`, 403],
  ['a hidden dot file', 'docs', `/.dot-${mark}`, 403],
  ['a dot file that does not exist', 'docs', '/.none', 403],
  ['a file that a regular expression denies', 'docs', `/subs/own-${mark}.srt`, 403],
  ...linkNames.map((name) => [`the link ${name}`, 'docs', `/${name}`, 403] as const),
  ['a link to a denied folder', 'docs', '/to-denied/a.txt', 403],
  ['a link to a denied folder, for a missing file', 'docs', '/to-denied/none.txt', 403],
  ['a link to a sibling', 'docs', '/to-sibling/a.txt', 403],
  ['a link to above the scope, and back', 'docs', '/to-above/home/docs/a.txt', 403],
  ['a link to outside', 'docs', '/to-outside/a.txt', 403],
  ['the denied folder beside the shared folder', 'docs', `/${denied}/a.txt`, 404],
  ['a denied folder in a whole scope', 'all', `/${denied}`, 403],
  ['a file in the denied folder', 'all', `/${denied}/deep/${mark}.txt`, 403],
  ['a missing file in the denied folder', 'all', `/${denied}/none.txt`, 403],
  ['a link to the denied folder', 'all', '/docs/to-denied/a.txt', 403],
  ['the sibling of the scope', 'all', `/${sibling}/a.txt`, 404],
  ['a link to the sibling', 'all', '/links/to-sibling/a.txt', 403],
  // The share of a file responds with the file for every path below the share.
  ['a file beside a shared file', 'file', `/file-${mark}.txt`, 200],
  ['a link beside a shared file', 'file', '/to-denied/a.txt', 200],
  ['a path above the shared folder', 'docs', `/../${denied}/a.txt`, 400],
  ['an encoded path above the shared folder', 'docs', `%2f%2e%2e%2f${denied}%2fa.txt`, 400],
  ['a path above the scope', 'all', `/..%2f${sibling}/a.txt`, 400],
]

test.each(guestCases)('a guest: %s (%s%s)', async (_title, shareName, rest, status) => {
  for (const call of calls) {
    const requestTarget = `/api/public/${call}/${context.hashes[shareName]}${rest}`
    const response = await context.send({ method: 'GET', requestTarget, token: null })
    expectNoLeak(response)
    expect([call, response.status]).toEqual([call, status])
  }
})

test.each(['docs', 'all', 'file'] as const)(
  'guests do not receive hidden names or contents: %s',
  async (shareName) => {
    for (const rest of [
      'share/HASH',
      'dl/HASH?algo=tar',
      'dl/HASH?algo=zip',
      'share/HASH/subs',
      'dl/HASH/docs',
    ]) {
      const requestTarget = `/api/public/${rest.replace('HASH', context.hashes[shareName])}`
      expectNoLeak(await context.send({ method: 'GET', requestTarget, token: null }))
    }
  },
)

test.each([`/${denied}/a.txt`, '/docs/to-denied/a.txt', `/docs/.dot-${mark}`])(
  'a ticket gives no access to a file that is hidden from its user: %s',
  async (path) => {
    const json = JSON.stringify({ path, kind: 'raw' })
    const ticket = await context.send({ method: 'POST', requestTarget: '/api/ticket', body: json })
    const requestTarget = `/api/raw${path}?auth=${ticket.text}`
    const response = await context.send({ method: 'GET', requestTarget, token: null })
    expectNoLeak(response)
    expect(response.status).toBe(403)
  },
)

test.each(['/docs/to-sibling', '/docs/to-above', '/docs/to-outside'])(
  'no command runs in a folder that a link leads to outside the scope: %s',
  async (path) => {
    const ran = await runCommandLine(context.app, context.bea, { path, line: 'ls' })
    expect(ran.lines).toEqual([])
  },
)

test('change events do not mention hidden entries', async () => {
  const { app, ada } = context
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/events`, {
    headers: { 'x-auth': app.token },
  })
  const texts: string[] = []
  await once(socket, 'open')
  const folders = ['/', '/docs', `/${denied}`, '/docs/to-denied', '/docs/to-sibling', `/${sibling}`]
  socket.send(JSON.stringify({ watch: folders }))
  socket.ping()
  await once(socket, 'pong')
  const received = new Promise<void>((resolve) => {
    socket.on('message', (text: Buffer) => {
      texts.push(text.toString())
      if (texts.at(-1)?.includes('/docs/last.txt') === true) resolve()
    })
  })
  const moved = { action: 'rename', destination: `/home/${denied}/back.txt` }
  for (const path of [
    `/home/${denied}/new.txt`,
    `/home/docs/.new-${mark}`,
    `/${sibling}/new.txt`,
    '/home/seen.txt',
  ])
    await ada.call('resources.create', { path, body: secret })
  await ada.call('resources.transfer', { path: '/home/seen.txt', query: moved })
  await ada.call('resources.create', { path: '/home/docs/last.txt', body: 'last' })
  await received
  socket.close()
  expect(texts.join('\n')).not.toContain(mark)
  const messages = texts.map((text) => JSON.parse(text) as ChangeMessage)
  // The watch on the disk may report the same changes a second time, and earlier than the server announces them.
  expect(new Set(messages.map(({ kind, path }) => `${kind} ${path}`))).toEqual(
    new Set(['created /seen.txt', 'removed /seen.txt', 'created /docs/last.txt']),
  )
})

test('a copy of a folder with links contains nothing of their hidden targets', async () => {
  const query = new URLSearchParams({ action: 'copy', destination: '/copied' }).toString()
  const response = await context.send({ method: 'PATCH', requestTarget: `/api/resources/links?${query}` })
  expectNoLeak(response)
  expect(response.status).toBe(200)
  expect(await treeOf(path.join(context.app.disk, 'home/copied'))).toEqual({ 'a.txt': 'A' })
})

/** Creates a file in Ann's scope as a user who may do so. */
const createFile = (name: string) =>
  context.ada.call('resources.create', { path: `/home${name}`, body: 'mine' })

// A file cannot be written through a link to a folder, because the link occupies the name.
test.each([
  ['a denied file', `/file-${mark}.txt`, 403],
  ['a file that a regular expression denies', `/subs/own-${mark}.srt`, 403],
  ['a link to a denied folder', '/to-denied/a.txt', 409],
  ['a link to a denied folder, for a new file', '/to-denied/new.txt', 409],
  ['a link to a sibling', '/to-sibling/a.txt', 409],
  ['a link to outside', '/to-outside/new.txt', 409],
])(
  'a folder is not merged into another folder where it would overwrite %s',
  async (_title, landingPath, status) => {
    await createFile(`/lands${landingPath}`)
    const before = await context.tree()
    const query = 'action=copy&destination=/docs&override=true'
    const response = await context.send({ method: 'PATCH', requestTarget: `/api/resources/lands?${query}` })
    expectNoLeak(response)
    expect([response.status, await context.tree()]).toEqual([status, before])
    await context.ada.call('resources.remove', { path: '/home/lands', query: { permanent: 'true' } })
  },
)

test('a folder that is merged into another folder does not write through a link to a denied file', async () => {
  await createFile('/into/a.txt')
  await createFile('/lands/link')
  await symlink(`../${denied}/a.txt`, path.join(context.app.disk, 'home/into/link'))
  const { inside } = await context.tree()
  const query = 'action=copy&destination=/into&override=true'
  expectNoLeak(await context.send({ method: 'PATCH', requestTarget: `/api/resources/lands?${query}` }))
  const after = await context.tree()
  expect(after.inside['home']).toMatchObject({ [denied]: (inside['home'] as FileTree)[denied] })
})

test.each(['', '&override=true'])(
  'a folder that contains only hidden files is not replaced%s',
  async (more) => {
    await createFile(`/shut/own-${mark}.srt`)
    await createFile('/open/')
    const before = await context.tree()
    const query = `action=rename&destination=/shut${more}`
    const response = await context.send({ method: 'PATCH', requestTarget: `/api/resources/open?${query}` })
    expectNoLeak(response)
    expect([response.status, await context.tree()]).toEqual([409, before])
  },
)

test('removing or moving a link does not change its target', async () => {
  const { inside, outside } = await context.tree()
  const query = new URLSearchParams({ action: 'rename', destination: '/links/moved' }).toString()
  for (const name of linkNames) {
    const requestTarget = `/api/resources/links/${name}`
    expectNoLeak(await context.send({ method: 'PATCH', requestTarget: `${requestTarget}?${query}` }))
    expectNoLeak(await context.send({ method: 'DELETE', requestTarget: '/api/resources/links/moved' }))
    expectNoLeak(await context.send({ method: 'DELETE', requestTarget }))
  }
  const after = await context.tree()
  expect(after.outside).toEqual(outside)
  expect(after.inside[sibling]).toEqual(inside[sibling])
  expect(after.inside['home']).toMatchObject({ [denied]: (inside['home'] as FileTree)[denied] })
})
