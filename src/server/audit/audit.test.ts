import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { runCommandLine, sandbox } from '../../../test/kit/command-socket.ts'
import { twoColours } from '../../../test/kit/images.ts'
import { createClock } from '../../../test/kit/records.ts'
import { dropAsGuest, requestAsGuest, share } from '../../../test/kit/share.ts'
import {
  startApp,
  type SignedInUser,
  type TestApp,
  type TestAppOptions,
} from '../../../test/kit/start-app.ts'
import { makeZip } from '../../../test/kit/zip.ts'
import { limits } from '../../shared/domain/limits.ts'
import { auditActions } from '../../shared/domain/audit-actions.ts'
import type { AuditEventResource, AuditPage } from '../../shared/contract/audit.ts'

const files = { docs: { 'a.txt': 'A', 'b.bin': 'B' }, old: {} }

/** Starts a server with the administrator ada, and with ann, whose scope is `/home`. */
const startAudited = (options: TestAppOptions = {}) =>
  startApp({
    files: { home: files },
    ...options,
    user: { scope: '/home', ...options.user },
    users: { ada: { perm: { admin: true } }, ...options.users },
  })

async function pageOf(app: TestApp, query: Readonly<Record<string, string>> = {}): Promise<AuditPage> {
  const ada = await app.signIn('ada')
  const response = await ada.call('audit.list', { query })
  expect(response.status).toBe(200)
  return (await response.json()) as AuditPage
}

const eventsOf = async (app: TestApp, query = {}): Promise<readonly AuditEventResource[]> =>
  (await pageOf(app, query)).events.toReversed()

/** Returns the essential members of all events, the oldest first. */
const summaryOf = async (app: TestApp, query = {}) =>
  (await eventsOf(app, query)).map(({ user, action, target, outcome }) => [user, action, target, outcome])

const logIn = (app: TestApp, username: unknown, password: unknown) =>
  app.fetch('/api/login', { method: 'POST', token: null, body: JSON.stringify({ username, password }) })

/** Reads the whole response of a call. */
const read = async (response: Promise<Response>): Promise<ArrayBuffer> => (await response).arrayBuffer()

async function makeEvents(user: SignedInUser, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await user.call('resources.create', { path: `/docs/${n}/` })
}

describe('logins', () => {
  test('a login and a logout are recorded with the address and the session', async () => {
    const app = await startAudited()
    const token = await (await logIn(app, 'ann', app.password)).text()
    await app.fetch('/api/logout', { method: 'POST', token })
    const [login, logout] = await eventsOf(app)
    expect(login).toMatchObject({
      actor: 'user',
      userId: app.user.id,
      user: 'ann',
      action: 'login',
      outcome: 'ok',
      address: '127.0.0.1',
    })
    expect(logout).toMatchObject({ user: 'ann', action: 'logout', session: login?.session })
    expect(login?.session).not.toBe('')
  })

  test('each failed login has one event, and one line in the log that log filters of File Browser match', async () => {
    const app = await startAudited()
    await logIn(app, 'ann', 'a wrong password')
    await logIn(app, 'my secret password', '')
    await logIn(app, 17, null)
    expect(await summaryOf(app)).toEqual([
      ['ann', 'login', '', 'login-failed'],
      ['', 'login', '', 'login-failed'],
      ['', 'login', '', 'login-failed'],
    ])
    const filter = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \/api\/login: 403 127\.0\.0\.1 <nil>$/
    expect(app.lines).toHaveLength(3)
    expect(app.lines.filter((line) => filter.test(line))).toHaveLength(3)
  })

  test('a login after too many failures is recorded as throttled', async () => {
    // The failures of a minute count, and on a busy machine the logins of this test could take longer.
    const startMs = Date.now()
    const app = await startAudited({ nowMs: () => startMs })
    for (let n = 0; n < 5; n += 1) await logIn(app, 'ann', 'wrong')
    await logIn(app, 'ann', app.password)
    expect((await summaryOf(app)).at(-1)).toEqual(['ann', 'login', '', 'too-many-tries'])
    expect(app.lines.filter((line) => line.includes('/api/login'))).toHaveLength(6)
  })

  test('a signup is recorded with its name when it succeeds', async () => {
    const app = await startAudited({ settings: { signup: true } })
    const signUp = (username: string, password: string) =>
      app.fetch('/api/signup', { method: 'POST', token: null, body: JSON.stringify({ username, password }) })
    await signUp('eve', 'short')
    await signUp('eve', 'eve has a long password')
    expect(await summaryOf(app)).toEqual([
      ['', 'signup', '', 'bad-request'],
      ['eve', 'signup', 'eve', 'ok'],
    ])
  })

  test('sessions that a user ends are recorded', async () => {
    const app = await startAudited()
    const other = await app.signIn('ann')
    const sessions = (await (await app.call('sessions.list')).json()) as { id: string; current: boolean }[]
    const id = sessions.find(({ current }) => !current)?.id ?? ''
    await app.call('sessions.end', { path: `/${id}` })
    await app.call('sessions.end-others')
    const [ended, others] = await eventsOf(app)
    expect(ended).toMatchObject({ action: 'session-end', outcome: 'ok', details: { ended: id } })
    expect(others).toMatchObject({ action: 'session-end', details: {} })
    expect((await other.call('sessions.list')).status).toBe(401)
  })

  test('sessions that an administrator ends are recorded with the name of their user', async () => {
    const app = await startAudited()
    const id = app.user.id
    const other = await app.signIn('ann')
    const ada = await app.signIn('ada')
    const listed = await ada.call('sessions.list-of', { id })
    const [{ id: ended } = { id: '' }] = (await listed.json()) as { id: string }[]
    await ada.call('sessions.end-of', { id, json: { ids: [ended] } })
    await ada.call('sessions.end-of', { id })
    const [one, all] = await eventsOf(app)
    expect(one).toMatchObject({ action: 'session-end', target: 'ann', details: { ended } })
    expect(all).toMatchObject({ action: 'session-end', target: 'ann', details: {} })
    expect((await other.call('sessions.list')).status).toBe(401)
  })
})

describe('files', () => {
  test('changes are recorded with paths of the served folder', async () => {
    const app = await startAudited()
    await app.call('resources.create', { path: '/new/' })
    await app.call('resources.create', { path: '/new/a.txt', body: 'A' })
    await app.call('resources.save', { path: '/new/a.txt', body: 'AA' })
    for (const [action, destination] of [
      ['copy', '/new/b.txt'],
      ['rename', '/old/c.txt'],
    ] as const)
      await app.call('resources.transfer', { path: '/new/a.txt', query: { action, destination } })
    await app.call('resources.remove', { path: '/new/b.txt' })
    expect(await summaryOf(app)).toEqual([
      ['ann', 'create-folder', '/home/new', 'ok'],
      ['ann', 'upload', '/home/new/a.txt', 'ok'],
      ['ann', 'edit', '/home/new/a.txt', 'ok'],
      ['ann', 'copy', '/home/new/a.txt', 'ok'],
      ['ann', 'move', '/home/new/a.txt', 'ok'],
      ['ann', 'delete', '/home/new/b.txt', 'ok'],
    ])
    const moved = await eventsOf(app, { action: 'move,copy' })
    expect(moved.map(({ destination }) => destination)).toEqual(['/home/new/b.txt', '/home/old/c.txt'])
  })

  test('a change that replaces a file is recorded with the size of that file', async () => {
    const app = await startAudited()
    const query = { action: 'copy', destination: '/docs/b.bin', override: 'true' }
    await app.call('resources.create', { path: '/docs/a.txt', query: { override: 'true' }, body: 'new text' })
    await app.call('resources.create', { path: '/docs/new.txt', body: 'N' })
    await app.call('resources.transfer', { path: '/docs/a.txt', query })
    const events = await eventsOf(app, { action: 'upload,copy' })
    expect(events.map(({ action, details }) => [action, details])).toEqual([
      ['upload', { replacedBytes: expect.any(Number) }],
      ['upload', {}],
      ['copy', { replacedBytes: expect.any(Number) }],
    ])
  })

  test('a rename to the name that an entry has is recorded, although nothing changes', async () => {
    const app = await startAudited()
    const query = { action: 'rename', destination: '/docs/a.txt' }
    await app.call('resources.transfer', { path: '/docs/a.txt', query })
    const [renamed] = await eventsOf(app)
    expect(renamed).toMatchObject({ action: 'move', outcome: 'ok', destination: '/home/docs/a.txt' })
  })

  test('a copy whose name is taken is recorded with the name that it got', async () => {
    const app = await startAudited()
    const query = { action: 'copy', destination: '/docs/b.bin', rename: 'true' }
    await app.call('resources.transfer', { path: '/docs/a.txt', query })
    const [copied] = await eventsOf(app)
    expect(copied).toMatchObject({
      action: 'copy',
      target: '/home/docs/a.txt',
      destination: '/home/docs/b(1).bin',
    })
  })

  test('failed changes are recorded with the error, also when a permission is missing', async () => {
    const app = await startAudited({ user: { perm: { delete: false } } })
    await app.call('resources.remove', { path: '/docs/a.txt' })
    await app.call('resources.create', { path: '/docs/a.txt', body: 'B' })
    await app.call('resources.transfer', { path: '/none', query: { action: 'rename', destination: '/x' } })
    expect(await summaryOf(app)).toEqual([
      ['ann', 'delete', '/home/docs/a.txt', 'forbidden'],
      ['ann', 'upload', '/home/docs/a.txt', 'name-taken'],
      ['ann', 'move', '/home/none', 'not-found'],
    ])
    expect(await summaryOf(app, { outcome: 'name-taken' })).toHaveLength(1)
  })

  test('an upload in parts is recorded once, when the file is complete', async () => {
    const app = await startAudited()
    const sendPart = (path: string, offset: number, body: string) =>
      app.call('tus.continue', {
        path,
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
        body,
      })
    await app.call('tus.begin', { path: '/deep/in/a', headers: { 'upload-length': '6' } })
    await sendPart('/deep/in/a', 0, 'one')
    expect(await summaryOf(app)).toEqual([])
    await sendPart('/deep/in/a', 3, 'two')
    await sendPart('/deep/in/a', 3, 'two')
    await app.call('tus.begin', { path: '/new/empty', headers: { 'upload-length': '0' } })
    await app.call('tus.begin', { path: '/never', headers: { 'upload-length': '3' } })
    await app.call('tus.abort', { path: '/never' })
    expect(await summaryOf(app)).toEqual([
      ['ann', 'upload', '/home/deep/in/a', 'ok'],
      ['ann', 'upload', '/home/new/empty', 'ok'],
    ])
  })

  test('a download is recorded once: with its ranges, and not with its head', async () => {
    const clock = createClock(Date.now())
    const app = await startAudited({ nowMs: clock.nowMs })
    const get = async (headers = {}, query = {}) => {
      const response = await app.call('raw.get', { path: '/docs/b.bin', headers, query })
      await response.arrayBuffer()
    }
    await app.fetch('/api/raw/docs/b.bin', { method: 'HEAD' })
    expect(await summaryOf(app)).toEqual([])
    await get({ range: 'bytes=0-0' })
    await get({ range: 'bytes=0-' })
    await get({}, { inline: 'true' })
    expect(await summaryOf(app)).toEqual([['ann', 'download', '/home/docs/b.bin', 'ok']])
    await get()
    expect(await summaryOf(app)).toHaveLength(2)
    clock.advance(16 * 60_000)
    await get({ range: 'bytes=0-' }, { inline: 'true' })
    const events = await eventsOf(app)
    expect(events).toHaveLength(3)
    expect(events.at(-1)?.details).toEqual({ isInline: true })
  })

  test('a folder, some of its entries, a text and a member of an archive are downloads', async () => {
    const app = await startAudited({
      files: { home: { ...files, 'a.zip': makeZip([{ name: 'in.txt', content: 'x' }]) } },
    })
    await read(app.call('raw.get', { path: '/docs', query: { algo: 'zip', files: 'a.txt,b.bin' } }))
    await read(app.call('resources.get', { path: '/docs/a.txt' }))
    await read(app.call('archives.member', { path: '/a.zip', query: { member: 'in.txt' } }))
    const events = await eventsOf(app)
    expect(events.map(({ action, target, details }) => [action, target, details])).toEqual([
      ['download', '/home/docs', { files: ['a.txt', 'b.bin'] }],
      ['download', '/home/docs/a.txt', {}],
      ['download', '/home/a.zip', { member: 'in.txt' }],
    ])
  })

  test('whole files that previews and subtitles send are downloads, once in 15 minutes; drawn pictures are none', async () => {
    const clock = createClock(Date.now())
    const image = await twoColours(60, 40).png().toBuffer()
    const pictures = { 'a.svg': '<svg/>', 'a.gif': await twoColours(9, 9).gif().toBuffer(), 'a.png': image }
    const texts = { 'a.srt': '1\n00:00:01,000 --> 00:00:02,000\nHej\n', 'a.vtt': 'WEBVTT\n' }
    const app = await startAudited({ files: { home: { ...pictures, ...texts } }, nowMs: clock.nowMs })
    const show = async (size: string, name: string) => {
      const response = await app.call('preview.get', { size, path: `/${name}`, query: { inline: 'true' } })
      expect([name, response.status]).toEqual([name, 200])
      await response.arrayBuffer()
    }
    for (const round of [1, 2]) {
      for (const name of ['a.svg', 'a.png']) await show('thumb', name)
      await show('big', 'a.gif')
      for (const path of ['/a.srt', '/a.vtt']) await read(app.call('subtitles.get', { path }))
      await read(app.call('raw.get', { path: '/a.svg', query: { inline: 'true' } }))
      expect([round, await summaryOf(app)]).toEqual([
        round,
        ['a.svg', 'a.gif', 'a.srt', 'a.vtt'].map((name) => ['ann', 'download', `/home/${name}`, 'ok']),
      ])
    }
    clock.advance(16 * 60_000)
    await show('thumb', 'a.svg')
    expect(await summaryOf(app)).toHaveLength(5)
    const plain = await startAudited({
      files: { home: { 'a.png': image } },
      config: { disableThumbnails: true },
    })
    await read(plain.call('preview.get', { size: 'thumb', path: '/a.png' }))
    await read(plain.call('preview.get', { size: 'thumb', path: '/none.png' }))
    expect(await summaryOf(plain)).toEqual([['ann', 'download', '/home/a.png', 'ok']])
  })

  test('other entries of a folder are another download, also when the request says that it is inline', async () => {
    const app = await startAudited()
    for (const names of ['a.txt', 'b.bin', 'b.bin'])
      await read(app.call('raw.get', { path: '/docs', query: { algo: 'zip', files: names, inline: 'true' } }))
    expect((await eventsOf(app)).map(({ details }) => details['files'])).toEqual([['a.txt'], ['b.bin']])
  })

  test('listings, searches and missing files are not recorded, and refusals are', async () => {
    const rules = [{ regex: false, allow: false, path: '/docs', regexp: null }]
    const app = await startAudited({ user: { rules } })
    await app.call('resources.get', { path: '/' })
    await app.call('search.get', { path: '/', query: { query: 'a' } })
    await app.call('raw.get', { path: '/none' })
    await app.call('resources.get', { path: '/docs' })
    await app.call('raw.get', { path: '/docs/a.txt' })
    await app.call('users.list')
    expect(await summaryOf(app)).toEqual([
      ['ann', 'access', '/home/docs', 'forbidden'],
      ['ann', 'download', '/home/docs/a.txt', 'forbidden'],
      ['ann', 'access', '', 'forbidden'],
    ])
  })

  test('archives that are created and extracted have one event each, with the error when they fail', async () => {
    const app = await startAudited({
      files: { home: { ...files, 'bad.gz': gzipSync('x'.repeat(9999)).subarray(0, 30) } },
    })
    await read(app.call('archives.create', { path: '/new.tar', json: { folder: '/docs', names: ['a.txt'] } }))
    await read(app.call('archives.extract', { path: '/new.tar', query: { destination: '/old' } }))
    await read(app.call('archives.extract', { path: '/bad.gz', query: { destination: '/old' } }))
    const events = await eventsOf(app)
    expect(events.map(({ action, target, outcome }) => [action, target, outcome === 'ok'])).toEqual([
      ['compress', '/home/new.tar', true],
      ['extract', '/home/new.tar', true],
      ['extract', '/home/bad.gz', false],
    ])
    expect(events[0]?.details).toEqual({ folder: '/home/docs', files: ['a.txt'] })
    expect(events[1]?.destination).toBe('/home/old')
  })

  test('the folder of an extraction is recorded by its name, also when the name contains a percent sign', async () => {
    const archives = { 'a.zip': makeZip([{ name: 'in.txt', content: 'x' }]), 'bad.zip': 'no archive' }
    const app = await startAudited({ files: { home: { ...archives, 'a%20b': {} } } })
    for (const path of ['/a.zip', '/bad.zip'])
      await read(app.call('archives.extract', { path, query: { destination: '/a%20b' } }))
    const events = await eventsOf(app)
    expect(events.map(({ destination, outcome }) => [destination, outcome === 'ok'])).toEqual([
      ['/home/a%20b', true],
      ['/home/a%20b', false],
    ])
  })
})

describe('shares', () => {
  test('a share is recorded from its creation to its end, with the visits of guests', async () => {
    const app = await startAudited()
    const { hash } = await share(app, '/docs', { password: 'the word of the share' })
    await requestAsGuest(app, 'share', hash)
    await requestAsGuest(app, 'share', hash, { password: 'wrong' })
    const password = 'the word of the share'
    await requestAsGuest(app, 'share', hash, { password })
    await requestAsGuest(app, 'share', `${hash}/a.txt`, { password })
    await (await requestAsGuest(app, 'dl', `${hash}/a.txt`, { password })).text()
    await requestAsGuest(app, 'share', 'no-such-share')
    await app.call('shares.update', { path: `/${hash}`, json: { password: '' } })
    await app.call('shares.remove', { path: `/${hash}` })
    expect(await summaryOf(app)).toEqual([
      ['ann', 'share-create', '/home/docs', 'ok'],
      ['', 'share-open', '/home/docs', 'not-signed-in'],
      ['', 'share-open', '/home/docs', 'ok'],
      ['', 'download', '/home/docs/a.txt', 'ok'],
      ['ann', 'share-change', '/home/docs', 'ok'],
      ['ann', 'share-delete', '/home/docs', 'ok'],
    ])
    const events = await eventsOf(app)
    expect(events[0]?.details).toEqual({ hasPassword: true, share: hash })
    expect(events[3]).toMatchObject({ actor: 'guest', userId: null, session: hash, address: '127.0.0.1' })
    expect(events[5]?.details).toEqual({ share: hash })
    expect(JSON.stringify(events)).not.toContain(password)
  })

  test('visits by an alias name the share, and downloads beyond its limit are failures', async () => {
    const app = await startAudited()
    const { hash } = await share(app, '/docs', { alias: 'summer-2026', maxDownloads: 1 })
    await requestAsGuest(app, 'share', 'Summer-2026')
    const download = async () => (await requestAsGuest(app, 'dl', 'summer-2026/a.txt')).text()
    await download()
    // A download is recorded when its response has ended, which may be after the client has it.
    await expect.poll(async () => (await summaryOf(app)).length).toBe(3)
    await download()
    expect(await summaryOf(app)).toEqual([
      ['ann', 'share-create', '/home/docs', 'ok'],
      ['', 'share-open', '/home/docs', 'ok'],
      ['', 'download', '/home/docs/a.txt', 'ok'],
      ['', 'download', '/home/docs/a.txt', 'forbidden'],
    ])
    const [, opened] = await eventsOf(app)
    expect(opened).toMatchObject({ session: 'Summer-2026', details: { share: hash } })
  })

  test('wrong passwords that are tried by sending files are recorded', async () => {
    const app = await startAudited()
    const { hash } = await share(app, '/docs/', { mode: 'upload-only', password: 'the word of the share' })
    await dropAsGuest(app, `${hash}/new.txt`)
    await dropAsGuest(app, `${hash}/new.txt`, { password: 'wrong' })
    expect(await summaryOf(app)).toEqual([
      ['ann', 'share-create', '/home/docs', 'ok'],
      ['', 'upload', '/home/docs/new.txt', 'not-signed-in'],
    ])
  })

  test('a file that a guest adds to a drop box is recorded as an upload of the guest', async () => {
    const app = await startAudited()
    const { hash } = await share(app, '/docs/', { mode: 'upload-only' })
    const headers = { 'x-upload-id': 'an-upload-of-the-guest' }
    await dropAsGuest(app, `${hash}/new.txt`, { headers })
    await dropAsGuest(app, `${hash}/forged.txt`, { headers })
    await dropAsGuest(app, `${hash}/sub/new.txt`)
    await dropAsGuest(app, 'any-text-of-a-stranger/new.txt')
    expect(await summaryOf(app)).toEqual([
      ['ann', 'share-create', '/home/docs', 'ok'],
      ['', 'upload', '/home/docs/new.txt', 'ok'],
      ['', 'upload', '/home/docs/sub/new.txt', 'bad-name'],
    ])
    const [, added] = await eventsOf(app)
    expect(added).toMatchObject({ actor: 'guest', session: hash })
  })

  test('a file of a guest whose name is taken is recorded with the name that it got', async () => {
    const app = await startAudited()
    const { hash } = await share(app, '/docs/', { mode: 'upload-only' })
    await dropAsGuest(app, `${hash}/a.txt`)
    const [, added] = await eventsOf(app)
    expect(added).toMatchObject({ actor: 'guest', action: 'upload', target: '/home/docs/a (2).txt' })
  })
})

describe('accounts and settings', () => {
  test('users that are created, changed and removed are recorded by name, with the changed fields', async () => {
    const app = await startAudited()
    const ada = await app.signIn('ada')
    const data = { username: 'newcomer', password: 'a newcomer has one' }
    const created = await ada.call('users.create', { json: { what: 'user', which: [], data } })
    const id = Number(created.headers.get('location')?.split('/').at(-1))
    const update = (which: string[], changed: object) =>
      ada.call('users.update', { id, json: { what: 'user', which, data: { id, ...changed } } })
    await update(['locale', 'username'], { locale: 'de', username: 'renamed' })
    await update(['password'], { password: 'a newcomer has another' })
    await ada.call('users.remove', { id, json: { current_password: 'not the password' } })
    await ada.call('users.remove', { id })
    expect(await summaryOf(app)).toEqual([
      ['ada', 'user-create', 'newcomer', 'ok'],
      ['ada', 'user-change', 'newcomer', 'ok'],
      ['ada', 'user-change', 'renamed', 'ok'],
      ['ada', 'user-delete', 'renamed', 'wrong-password'],
      ['ada', 'user-delete', 'renamed', 'ok'],
    ])
    const changes = await eventsOf(app, { action: 'user-change' })
    expect(changes.map(({ details }) => details)).toEqual([
      { fields: expect.arrayContaining(['username', 'locale']) },
      { fields: ['password'] },
    ])
  })

  test('changed settings are recorded by name, without values', async () => {
    const app = await startAudited()
    const ada = await app.signIn('ada')
    await ada.call('settings.update', { json: { signup: true, minimumPasswordLength: 12 } })
    await app.call('settings.update', { json: { signup: false } })
    const [change, refused] = await eventsOf(app)
    expect(change).toMatchObject({ user: 'ada', action: 'settings-change', details: { fields: ['signup'] } })
    expect(refused).toMatchObject({ user: 'ann', action: 'settings-change', outcome: 'forbidden' })
  })

  test('a refused command is recorded', async () => {
    const app = await startAudited()
    await runCommandLine(app, app, { line: 'ls -l', path: '/docs' })
    const [event] = await eventsOf(app)
    expect(event).toMatchObject({
      user: 'ann',
      action: 'command',
      target: '/home/docs',
      outcome: 'forbidden',
      address: '127.0.0.1',
      details: { line: 'ls -l', why: 'commands are switched off' },
    })
  })

  test.skipIf(!sandbox.isUsable)('a command is recorded with its words and its exit status', async () => {
    const app = await startAudited({ config: { disableExec: false }, user: { commands: ['echo'] } })
    await runCommandLine(app, app, { line: "echo 'a b'" })
    const [event] = await eventsOf(app)
    expect(event).toMatchObject({ action: 'command', outcome: 'ok', target: '/home' })
    expect(event?.details).toMatchObject({ exit: '0', words: [expect.stringContaining('echo'), 'a b'] })
  })
})

describe('reading the log', () => {
  test('only administrators read and export it, and other users leave an event', async () => {
    const app = await startAudited()
    expect((await app.call('audit.list')).status).toBe(403)
    expect((await app.call('audit.export')).status).toBe(403)
    expect(await summaryOf(app)).toEqual([
      ['ann', 'access', '', 'forbidden'],
      ['ann', 'audit-export', '', 'forbidden'],
    ])
  })

  test('pages follow each other by their cursor', async () => {
    const app = await startAudited()
    await makeEvents(app, 5)
    const first = await pageOf(app, { limit: '2' })
    const second = await pageOf(app, { limit: '2', before: String(first.next) })
    const third = await pageOf(app, { limit: '2', before: String(second.next) })
    const targets = [first, second, third].flatMap(({ events }) => events.map(({ target }) => target))
    expect(targets).toEqual([4, 3, 2, 1, 0].map((n) => `/home/docs/${n}`))
    expect([third.next, first.keptDays]).toEqual([null, 90])
  })

  test.each([
    [{ from: 'yesterday' }, 'the time is invalid'],
    [{ to: '2026-13-45' }, 'the time is invalid'],
    [{ action: 'delete,sleep' }, 'the action is invalid'],
    [{ outcome: 'bad' }, 'the outcome is invalid'],
    [{ limit: '0' }, 'the limit is invalid'],
    [{ before: '-1' }, 'the position is invalid'],
    [{ path: '/../x' }, 'the path is invalid'],
  ] as const)('the query %o is refused', async (query, reason) => {
    const app = await startAudited()
    const ada = await app.signIn('ada')
    const response = await ada.call('audit.list', { query })
    expect([response.status, await response.text()]).toEqual([400, `400 Bad Request (${reason})\n`])
  })

  test('a query has a limited length', async () => {
    const ada = await (await startAudited()).signIn('ada')
    const statusOf = async (query: Readonly<Record<string, string>>) =>
      (await ada.call('audit.list', { query })).status
    for (const name of ['text', 'user']) {
      expect(await statusOf({ [name]: 'x'.repeat(limits.filterCharacters) })).toBe(200)
      expect(await statusOf({ [name]: 'x'.repeat(limits.filterCharacters + 1) })).toBe(400)
    }
    expect(await statusOf({ action: auditActions.join(',') })).toBe(200)
    expect(await statusOf({ action: 'login,'.repeat(1000) })).toBe(400)
    expect(await statusOf({ path: `/${'x/'.repeat(2048)}` })).toBe(400)
  })

  test.each(['=cmd()', '\uff1dcmd()'])(
    'an export as CSV contains no formula %s, and is recorded',
    async (name) => {
      const app = await startAudited({ users: { [name]: {} } })
      const user = await app.signIn(name)
      await user.call('resources.create', { path: '/a "b", \u2028c\u202egnp/' })
      const response = await (await app.signIn('ada')).call('audit.export')
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(response.headers.get('content-disposition')).toContain('audit-log.csv')
      const [header, row, end] = (await response.text()).split('\r\n')
      expect(header).toBe('time,action,outcome,actor,userId,user,session,address,target,destination,details')
      expect(row).toContain(`"'${name}"`)
      expect(row).toContain(String.raw`"/a ""b"", \u2028c\u202egnp"`)
      expect(end).toBe('')
      expect((await summaryOf(app)).at(-1)).toEqual(['ada', 'audit-export', '', 'ok'])
    },
  )

  test('an export as lines contains the filtered events', async () => {
    const app = await startAudited()
    await makeEvents(app, 3)
    const ada = await app.signIn('ada')
    const response = await ada.call('audit.export', { query: { format: 'jsonl', path: '/home/docs/1' } })
    const lines = (await response.text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ action: 'create-folder', target: '/home/docs/1', user: 'ann' }),
    ])
    expect((await ada.call('audit.export', { query: { format: 'xml' } })).status).toBe(400)
  })

  test('without kept days nothing is stored, and what was stored is deleted at the next start', async () => {
    const app = await startAudited({ settings: { auditDays: 0 } })
    await makeEvents(app, 2)
    expect(await pageOf(app)).toEqual({ events: [], next: null, keptDays: 0 })
  })
})

test('passwords, tokens and queries are in no event', async () => {
  const app = await startAudited()
  const ada = await app.signIn('ada')
  const secrets = [
    'ann has a wrong password',
    app.password,
    app.token,
    'the secret of newcomer',
    'the next secret',
  ]
  await logIn(app, 'ann', secrets[0])
  await logIn(app, secrets[0], 'ann')
  await logIn(app, 'ann', app.password)
  await app.fetch(`/api/raw/docs/a.txt?auth=${app.token}`, { token: null })
  const data = { username: 'newcomer', password: secrets[3] }
  await ada.call('users.create', { json: { what: 'user', which: [], data, current_password: ada.password } })
  const ownData = { id: app.user.id, password: secrets[4] }
  await app.call('users.update', {
    id: app.user.id,
    json: { what: 'user', which: ['password'], data: ownData, current_password: app.password },
  })
  const events = await eventsOf(app)
  expect(events.length).toBeGreaterThanOrEqual(6)
  for (const secret of [...secrets, ada.password, ada.token])
    expect(JSON.stringify(events)).not.toContain(secret)
  const database = app.database.startsWith('postgres') ? '' : readFileSync(`${app.database}-wal`, 'latin1')
  for (const secret of secrets) expect(database).not.toContain(secret)
})
