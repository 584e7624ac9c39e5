import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { canMount, fillDisk, memoryDisk } from '../kit/mounts.ts'
import { ada } from '../kit/run-server.ts'
import type { AuditPage } from '../../src/shared/contract/audit.ts'
import { loginStatus, signInAs, stagedIn, type RequestSender } from './requests.ts'
import { serverOnDisk, transfer } from './server-on-disk.ts'

const noSpace = '507 no-space'
const megabyte = 1024 * 1024
const bytes = Buffer.alloc(megabyte, 'new ')
const chunks = Array.from({ length: 16 }, () => Buffer.alloc(megabyte / 16, 'new '))

/**
 * Requests that need disk space for file contents, with one request for every way in which the server receives or
 * creates files.
 */
const spaceRequests = (sender: RequestSender): Readonly<Record<string, () => Promise<string>>> => ({
  'an upload': () => sender.call('resources.create', '/new.bin', { body: bytes }),
  'an upload of unknown size': () => sender.call('resources.create', '/new.bin', { chunks }),
  'an overwrite': () =>
    sender.call('resources.create', '/old.bin', { body: bytes, query: { override: 'true' } }),
  'an overwrite of unknown size': () =>
    sender.call('resources.create', '/old.bin', { chunks, query: { override: 'true' } }),
  'a save': () => sender.call('resources.save', '/old.bin', { body: bytes }),
  'a save of unknown size': () => sender.call('resources.save', '/old.bin', { chunks }),
  'an upload in parts': () =>
    sender.call('tus.begin', '/parts.bin', { headers: { 'upload-length': String(megabyte) } }),
  'a copy of a file': () => transfer(sender, { action: 'copy', from: '/old.bin', to: '/copy.bin' }),
  'a copy over a file': () =>
    transfer(sender, { action: 'copy', from: '/folder/a.bin', to: '/old.bin', override: 'true' }),
  'a copy of a folder': () => transfer(sender, { action: 'copy', from: '/folder', to: '/copy' }),
})

const tree = {
  'changed.txt': 'before',
  'old.bin': 'old '.repeat(megabyte / 4),
  folder: { 'a.bin': 'a'.repeat(megabyte), 'b.bin': 'b'.repeat(megabyte) },
  doomed: { 'c.bin': 'c', inner: { 'd.bin': 'd' } },
}

describe.skipIf(!canMount())('a full disk (needs permission to mount)', () => {
  const opened = serverOnDisk({
    makeDisk: () => memoryDisk('size=96m,nr_inodes=60'),
    mountedAs: 'folder',
    files: tree,
  })

  test('without free bytes: requests that need space get 507 and change nothing, and all others succeed', async () => {
    const { disk, server, ada: sender } = opened()
    const filled = fillDisk(disk.folder)
    try {
      for (const [name, call] of Object.entries(spaceRequests(sender)))
        expect([name, await call()]).toEqual([name, noSpace])
      expect(await stagedIn(disk.folder)).toEqual([])
      expect(readdirSync(disk.folder).toSorted()).toEqual([
        'changed.txt',
        'doomed',
        'filler',
        'folder',
        'old.bin',
      ])
      expect(readFileSync(path.join(disk.folder, 'old.bin'), 'utf8')).toBe(tree['old.bin'])
      expect(await sender.call('raw.get', '/folder', { query: { algo: 'targz' } })).toBe('200')
      expect(await transfer(sender, { action: 'rename', from: '/old.bin', to: '/moved.bin' })).toBe('200')
      expect(await transfer(sender, { action: 'rename', from: '/moved.bin', to: '/old.bin' })).toBe('200')
      expect(await sender.call('resources.remove', '/doomed', { query: { permanent: 'true' } })).toBe('200')
      expect(await sender.call('settings.update', '', { body: '{"signup":true}' })).toBe('200')
      expect(await sender.call('shares.create', '/old.bin', { body: '{}' })).toBe('200')
      expect(await loginStatus(server, ada)).toBe(200)
    } finally {
      filled.free()
    }
    expect(await sender.call('resources.create', '/new.bin', { body: bytes })).toBe('200')
    expect(await transfer(sender, { action: 'copy', from: '/folder', to: '/copy' })).toBe('200')
    for (const name of ['/new.bin', '/copy'])
      expect(await sender.call('resources.remove', name, { query: { permanent: 'true' } })).toBe('200')
  })

  test('during an upload in parts: confirmed parts stay, and the upload continues when there is space', async () => {
    const { disk, ada: sender } = opened()
    const whole = Buffer.concat([bytes, Buffer.alloc(megabyte, 'rest')])
    const headers = { 'upload-length': String(whole.length) }
    expect(await sender.call('tus.begin', '/parts.bin', { headers })).toBe('201')
    const part = (from: number, to: number) =>
      sender.call('tus.continue', '/parts.bin', {
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
        body: whole.subarray(from, to),
      })
    expect(await part(0, megabyte)).toBe('204')
    const filled = fillDisk(disk.folder)
    expect(await part(megabyte, whole.length)).toBe(noSpace)
    filled.free()
    const { headers: shown } = await sender.send('tus.show', '/parts.bin')
    const offset = Number(shown.get('upload-offset'))
    expect(offset).toBeGreaterThanOrEqual(megabyte)
    expect(await part(offset, whole.length)).toBe('204')
    expect(readFileSync(path.join(disk.folder, 'parts.bin')).equals(whole)).toBe(true)
    expect(await sender.call('resources.remove', '/parts.bin', { query: { permanent: 'true' } })).toBe('200')
  })

  test('without free inodes: new entries get 507, and nothing is changed', async () => {
    const { disk, ada: sender } = opened()
    const before = readdirSync(disk.folder).toSorted()
    const names: string[] = []
    for (; ; names.push(`name-${names.length}`))
      if (!canCreate(path.join(disk.folder, `name-${names.length}`))) break
    const made = { ...spaceRequests(sender), 'a folder': () => sender.call('resources.create', '/folder-2/') }
    for (const [name, call] of Object.entries(made)) expect([name, await call()]).toEqual([name, noSpace])
    expect(await sender.call('resources.get')).toBe('200')
    for (const name of names)
      expect(await sender.call('resources.remove', `/${name}`, { query: { permanent: 'true' } })).toBe('200')
    expect(readdirSync(disk.folder).toSorted()).toEqual(before)
    expect(readFileSync(path.join(disk.folder, 'old.bin'), 'utf8')).toBe(tree['old.bin'])
    expect(await sender.call('resources.create', '/folder-2/')).toBe('200')
  })
})

/**
 * Repeats a request until it is refused, because small writes succeed as long as allocated blocks have free space.
 * Returns the refusal.
 */
async function untilRefused(call: (n: number) => Promise<string>): Promise<string> {
  for (let n = 0; n < 5000; n += 1) {
    const outcome = await call(n)
    if (!outcome.startsWith('20')) return outcome
  }
  return '200'
}

/**
 * Requests that the server records in its journal before it starts to write. When the server is stopped during such a
 * write, the journal tells it which staged files to remove.
 */
const journaledRequests = (
  sender: RequestSender,
): Readonly<Record<string, (n: number) => Promise<string>>> => ({
  // A small upload with a Content-Length needs no journal entry where the file system has unnamed files (O_TMPFILE),
  // so this upload has no Content-Length.
  'an upload': (n) =>
    sender.call('resources.create', `/new-${n}.bin`, { chunks: [Buffer.from('few bytes')] }),
  'an overwrite': () =>
    sender.call('resources.create', '/changed.txt', { body: 'after', query: { override: 'true' } }),
  'a save': () => sender.call('resources.save', '/changed.txt', { body: 'after' }),
  'an upload in parts': () => sender.call('tus.begin', '/parts.bin', { headers: { 'upload-length': '5' } }),
  'a copy of a file': (n) => transfer(sender, { action: 'copy', from: '/changed.txt', to: `/copy-${n}.txt` }),
  'a copy over a file': () =>
    transfer(sender, { action: 'copy', from: '/folder/a.bin', to: '/old.bin', override: 'true' }),
  'a copy of a folder': (n) => transfer(sender, { action: 'copy', from: '/doomed', to: `/copy-${n}` }),
})

function canCreate(file: string): boolean {
  try {
    writeFileSync(file, '')
    return true
  } catch {
    return false
  }
}

describe.skipIf(!canMount())("a full disk with the server's own files (needs permission to mount)", () => {
  const opened = serverOnDisk({ makeDisk: () => memoryDisk('size=8m'), mountedAs: 'state', files: tree })

  test('requests that store state get 507, a login and reads succeed, and everything succeeds when there is space', async () => {
    const { disk, server, ada: sender } = opened()
    const filled = fillDisk(disk.folder)
    try {
      const change = (n: number) =>
        sender.call('settings.update', '', {
          body: JSON.stringify({ branding: { name: `${n}`.repeat(1000) } }),
        })
      expect(await untilRefused(change)).toBe(noSpace)
      expect(await untilRefused(() => sender.call('shares.create', '/old.bin', { body: '{}' }))).toBe(noSpace)
      for (const [name, call] of Object.entries(journaledRequests(sender)))
        expect([name, await untilRefused(call)]).toEqual([name, noSpace])
      await sender.call('tus.abort', '/parts.bin')
      expect(await stagedIn(server.folder)).toEqual([])
      expect(['before', 'after']).toContain(readFileSync(path.join(server.folder, 'changed.txt'), 'utf8'))
      expect([tree['old.bin'], tree.folder['a.bin']]).toContain(
        readFileSync(path.join(server.folder, 'old.bin'), 'utf8'),
      )
      expect(await loginStatus(server, { ...ada, password: 'wrong' })).toBe(403)
      const again = await signInAs(server, ada)
      const permanent = { query: { permanent: 'true' } }
      expect(await again.call('resources.remove', '/folder/b.bin', permanent)).toBe('200')
      expect(await again.call('sessions.renew', '')).toBe('200')
      expect(await again.call('sessions.logout', '')).toBe('200')
      expect(await again.call('resources.get')).toBe('401 not-signed-in')
      for (const route of ['health.get', 'settings.get', 'users.list', 'shares.list'] as const)
        expect([route, await sender.call(route, '')]).toEqual([route, '200'])
      expect(await sender.call('resources.get')).toBe('200')
      expect(await sender.call('raw.get', '/old.bin')).toBe('200')
      expect(await sender.call('raw.get', '/folder', { query: { algo: 'zip' } })).toBe('200')
      // A change that the file system makes atomically needs no journal entry.
      expect(
        await transfer(sender, { action: 'rename', from: '/changed.txt', to: '/folder/moved.txt' }),
      ).toBe('200')
      expect(await transfer(sender, { action: 'rename', from: '/folder', to: '/moved' })).toBe('200')
      expect(await sender.call('resources.create', '/made/')).toBe('200')
      expect(
        await sender.call('resources.remove', '/moved/moved.txt', { query: { permanent: 'true' } }),
      ).toBe('200')
      expect(await sender.call('resources.remove', '/doomed', { query: { permanent: 'true' } })).toBe('200')
      expect(await stagedIn(server.folder)).toEqual([])
    } finally {
      filled.free()
    }
    expect(await sender.call('settings.update', '', { body: '{"branding":{"name":"again"}}' })).toBe('200')
    expect(await loginStatus(server, ada)).toBe(200)
    expect(await sender.call('resources.create', '/new.bin', { body: 'new' })).toBe('200')
    // The audit log contains what happened while it could not be stored.
    const { text: page } = await sender.send('audit.list', '', { query: { action: 'login,share-create' } })
    const outcomes = (JSON.parse(page) as AuditPage).events.map(
      ({ action, outcome }) => `${action} ${outcome}`,
    )
    expect(outcomes).toEqual(
      expect.arrayContaining(['login login-failed', 'share-create no-space', 'login ok']),
    )
    await server.stop('SIGKILL')
    await server.start()
    const { text } = await sender.send('settings.get', '')
    expect(JSON.parse(text)).toMatchObject({ branding: { name: 'again' } })
  })
})
