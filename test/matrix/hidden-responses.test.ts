import { once } from 'node:events'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ChangeMessage } from '../../src/shared/contract/events.ts'
import { runCommandLine } from '../kit/command-socket.ts'
import { treeOf } from '../kit/start-app.ts'
import type { Tree } from '../kit/tree.ts'
import {
  denied,
  expectSilence,
  linkNames,
  mark,
  openHiddenWorld,
  secret,
  sibling,
  type HiddenPathsContext,
  type ShareName,
} from './hidden-world.ts'

let world: HiddenPathsContext

beforeAll(async () => {
  world = await openHiddenWorld()
})
afterAll(() => world.close())

const rows = { accept: 'application/x-ndjson' }
type WholeFolderRequest = { readonly address: string; readonly headers?: Readonly<Record<string, string>> }

const wide: readonly WholeFolderRequest[] = [
  ...['/', '/docs', '/docs/', '/docs/subs', '/links/'].flatMap((at) => [
    { address: `/api/resources${at}` },
    { address: `/api/resources${at}`, headers: rows },
    { address: `/api/resources${at}?by=size&asc=true`, headers: rows },
  ]),
  ...['', 'docs', 'links'].flatMap((at) => [
    { address: `/api/resources/recursive/${at}` },
    { address: `/api/raw/${at}?algo=tar` },
    { address: `/api/raw/${at}?algo=zip` },
    { address: `/api/usage/${at}` },
  ]),
  ...['', 'a', 't', mark, 'srt', 'dot', 'denied', 'to-', '.', 'type:image', 'type:srt'].flatMap((words) => [
    { address: `/api/search/?query=${words}` },
    { address: `/api/search/docs?query=${words}`, headers: rows },
  ]),
  { address: '/api/resources/docs/film.mp4' },
  { address: '/api/shares' },
  { address: '/api/share/docs' },
]

test.each(wide)('what is told of all that is there: $address', async ({ address, headers = {} }) => {
  const response = await world.send({ method: 'GET', address, headers })
  expect(response.status).toBe(200)
  expectSilence(response)
})

test('a listing counts what it shows', async () => {
  const response = await world.send({ method: 'GET', address: '/api/resources/docs' })
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
  'an archive of some, of which one is not to be had: $algo, $name',
  async ({ algo, name }) => {
    const asked = (names: readonly string[]) => {
      const query = new URLSearchParams({ algo, files: names.join(',') }).toString()
      return ['/api/raw/', `/api/public/dl/${world.hashes.all}/`].map((address) => `${address}?${query}`)
    }
    for (const address of asked([name, 'docs/a.txt', 'links/a.txt'])) {
      const response = await world.send({ method: 'GET', address })
      expectSilence(response)
      expect(response.status).toBe(200)
      expect(response.text).toContain('docs/a.txt')
    }
    // The archive of a single entry is named after the entry, and the client sent this name itself, so only the content
    // is checked.
    for (const address of asked([name]))
      expect((await world.send({ method: 'GET', address })).text).not.toContain(secret)
  },
)

const calls = ['share', 'dl'] as const
const ofGuests: readonly (readonly [title: string, of: ShareName, rest: string, status: number])[] = [
  ['a denied file', 'docs', `/file-${mark}.txt`, 403],
  ['a hidden dot file', 'docs', `/.dot-${mark}`, 403],
  ['a dot file that is not there', 'docs', '/.none', 403],
  ['what an expression denies', 'docs', `/subs/own-${mark}.srt`, 403],
  ...linkNames.map((name) => [`the link ${name}`, 'docs', `/${name}`, 403] as const),
  ['a link to a denied folder', 'docs', '/to-denied/a.txt', 403],
  ['a link to a denied folder, to nothing', 'docs', '/to-denied/none.txt', 403],
  ['a link to a sibling', 'docs', '/to-sibling/a.txt', 403],
  ['a link to above, and back', 'docs', '/to-above/home/docs/a.txt', 403],
  ['a link to outside', 'docs', '/to-outside/a.txt', 403],
  ['the denied folder beside what is shared', 'docs', `/${denied}/a.txt`, 404],
  ['a denied folder in a whole scope', 'all', `/${denied}`, 403],
  ['below it', 'all', `/${denied}/deep/${mark}.txt`, 403],
  ['below it, nothing', 'all', `/${denied}/none.txt`, 403],
  ['a link to it', 'all', '/docs/to-denied/a.txt', 403],
  ['the sibling of the scope', 'all', `/${sibling}/a.txt`, 404],
  ['a link to the sibling', 'all', '/links/to-sibling/a.txt', 403],
  // The share of a file answers with the file for every path below it.
  ['what lies beside a shared file', 'file', `/file-${mark}.txt`, 200],
  ['a link beside it', 'file', '/to-denied/a.txt', 200],
  ['a way up', 'docs', `/../${denied}/a.txt`, 400],
  ['a way up, encoded', 'docs', `%2f%2e%2e%2f${denied}%2fa.txt`, 400],
  ['a way up from the scope', 'all', `/..%2f${sibling}/a.txt`, 400],
]

test.each(ofGuests)('a guest: %s (%s%s)', async (_title, of, rest, status) => {
  for (const call of calls) {
    const address = `/api/public/${call}/${world.hashes[of]}${rest}`
    const response = await world.send({ method: 'GET', address, token: null })
    expectSilence(response)
    expect([call, response.status]).toEqual([call, status])
  }
})

test.each(['docs', 'all', 'file'] as const)('a guest is told of nothing that is hidden: %s', async (of) => {
  for (const rest of [
    'share/HASH',
    'dl/HASH?algo=tar',
    'dl/HASH?algo=zip',
    'share/HASH/subs',
    'dl/HASH/docs',
  ]) {
    const address = `/api/public/${rest.replace('HASH', world.hashes[of])}`
    expectSilence(await world.send({ method: 'GET', address, token: null }))
  }
})

test.each([`/${denied}/a.txt`, '/docs/to-denied/a.txt', `/docs/.dot-${mark}`])(
  'a ticket opens nothing that its person may not have: %s',
  async (path) => {
    const json = JSON.stringify({ path, kind: 'raw' })
    const ticket = await world.send({ method: 'POST', address: '/api/ticket', body: json })
    const address = `/api/raw${path}?auth=${ticket.text}`
    const response = await world.send({ method: 'GET', address, token: null })
    expectSilence(response)
    expect(response.status).toBe(403)
  },
)

test.each(['/docs/to-sibling', '/docs/to-above', '/docs/to-outside'])(
  'no command is run behind a link that leads out: %s',
  async (at) => {
    const ran = await runCommandLine(world.app, world.bea, { path: at, line: 'ls' })
    expect(ran.lines).toEqual([])
  },
)

test('who watches hears of nothing that is hidden', async () => {
  const { app, ada } = world
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/events`, {
    headers: { 'x-auth': app.token },
  })
  const texts: string[] = []
  await once(socket, 'open')
  const folders = ['/', '/docs', `/${denied}`, '/docs/to-denied', '/docs/to-sibling', `/${sibling}`]
  socket.send(JSON.stringify({ watch: folders }))
  socket.ping()
  await once(socket, 'pong')
  const heard = new Promise<void>((resolve) => {
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
  await heard
  socket.close()
  expect(texts.join('\n')).not.toContain(mark)
  const messages = texts.map((text) => JSON.parse(text) as ChangeMessage)
  expect(messages.map(({ kind, path }) => [kind, path])).toEqual([
    ['created', '/seen.txt'],
    ['removed', '/seen.txt'],
    ['created', '/docs/last.txt'],
  ])
})

test('a copy of a folder of links holds nothing of what they lead to', async () => {
  const query = new URLSearchParams({ action: 'copy', destination: '/copied' }).toString()
  const response = await world.send({ method: 'PATCH', address: `/api/resources/links?${query}` })
  expectSilence(response)
  expect(response.status).toBe(200)
  expect(await treeOf(path.join(world.app.disk, 'home/copied'))).toEqual({ 'a.txt': 'A' })
})

/** Creates a file in Ann's scope as a user who may do so. */
const make = (name: string) => world.ada.call('resources.create', { path: `/home${name}`, body: 'mine' })

// A file cannot be written through a link to a folder, because the link occupies the name.
test.each([
  ['a denied file', `/file-${mark}.txt`, 403],
  ['what an expression denies', `/subs/own-${mark}.srt`, 403],
  ['a link to a denied folder', '/to-denied/a.txt', 409],
  ['a link to a denied folder, something new', '/to-denied/new.txt', 409],
  ['a link to a sibling', '/to-sibling/a.txt', 409],
  ['a link to outside', '/to-outside/new.txt', 409],
])('a folder is not copied onto one where it would land on %s', async (_title, lands, status) => {
  await make(`/lands${lands}`)
  const before = await world.tree()
  const query = 'action=copy&destination=/docs&override=true'
  const response = await world.send({ method: 'PATCH', address: `/api/resources/lands?${query}` })
  expectSilence(response)
  expect([response.status, await world.tree()]).toEqual([status, before])
  await world.ada.call('resources.remove', { path: '/home/lands', query: { permanent: 'true' } })
})

test('a folder that is copied onto one does not write through a link of it to a denied file', async () => {
  await make('/into/a.txt')
  await make('/lands/link')
  await symlink(`../${denied}/a.txt`, path.join(world.app.disk, 'home/into/link'))
  const { inside } = await world.tree()
  const query = 'action=copy&destination=/into&override=true'
  expectSilence(await world.send({ method: 'PATCH', address: `/api/resources/lands?${query}` }))
  const after = await world.tree()
  expect(after.inside['home']).toMatchObject({ [denied]: (inside['home'] as Tree)[denied] })
})

test.each(['', '&override=true'])('a folder that seems to be empty is not replaced%s', async (more) => {
  await make(`/shut/own-${mark}.srt`)
  await make('/open/')
  const before = await world.tree()
  const query = `action=rename&destination=/shut${more}`
  const response = await world.send({ method: 'PATCH', address: `/api/resources/open?${query}` })
  expectSilence(response)
  expect([response.status, await world.tree()]).toEqual([409, before])
})

test('a link that is removed or moved leaves alone what it leads to', async () => {
  const { inside, outside } = await world.tree()
  const query = new URLSearchParams({ action: 'rename', destination: '/links/moved' }).toString()
  for (const name of linkNames) {
    const address = `/api/resources/links/${name}`
    expectSilence(await world.send({ method: 'PATCH', address: `${address}?${query}` }))
    expectSilence(await world.send({ method: 'DELETE', address: '/api/resources/links/moved' }))
    expectSilence(await world.send({ method: 'DELETE', address }))
  }
  const after = await world.tree()
  expect(after.outside).toEqual(outside)
  expect(after.inside[sibling]).toEqual(inside[sibling])
  expect(after.inside['home']).toMatchObject({ [denied]: (inside['home'] as Tree)[denied] })
})
