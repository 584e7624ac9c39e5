import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { fill, canMount, memoryDisk } from '../kit/mounts.ts'
import { ada } from '../kit/run-server.ts'
import { loginStatus, stagedIn, type RequestSender } from './requests.ts'
import { serverOnDisk, transfer } from './server-on-disk.ts'

const noSpace = '507 no-space'
const megabyte = 1024 * 1024
const bytes = Buffer.alloc(megabyte, 'new ')
const pieces = Array.from({ length: 16 }, () => Buffer.alloc(megabyte / 16, 'new '))

/**
 * Requests that need disk space for file contents: one request for every way in which the server receives or creates
 * files.
 */
const calls = (who: RequestSender): Readonly<Record<string, () => Promise<string>>> => ({
  'an upload': () => who.ask('resources.create', '/new.bin', { body: bytes }),
  'an upload of unknown size': () => who.ask('resources.create', '/new.bin', { pieces }),
  'an overwrite': () => who.ask('resources.create', '/old.bin', { body: bytes, query: { override: 'true' } }),
  'an overwrite of unknown size': () =>
    who.ask('resources.create', '/old.bin', { pieces, query: { override: 'true' } }),
  'a save': () => who.ask('resources.save', '/old.bin', { body: bytes }),
  'a save of unknown size': () => who.ask('resources.save', '/old.bin', { pieces }),
  'an upload in parts': () =>
    who.ask('tus.begin', '/parts.bin', { headers: { 'upload-length': String(megabyte) } }),
  'a copy of a file': () => transfer(who, { action: 'copy', from: '/old.bin', to: '/copy.bin' }),
  'a copy over a file': () =>
    transfer(who, { action: 'copy', from: '/folder/a.bin', to: '/old.bin', override: 'true' }),
  'a copy of a folder': () => transfer(who, { action: 'copy', from: '/folder', to: '/copy' }),
})

const tree = {
  'changed.txt': 'before',
  'old.bin': 'old '.repeat(megabyte / 4),
  folder: { 'a.bin': 'a'.repeat(megabyte), 'b.bin': 'b'.repeat(megabyte) },
  doomed: { 'c.bin': 'c', inner: { 'd.bin': 'd' } },
}

describe.skipIf(!canMount())('a full disk (needs leave to mount)', () => {
  const on = serverOnDisk({
    makeDisk: () => memoryDisk('size=96m,nr_inodes=60'),
    holds: 'folder',
    files: tree,
  })

  test('of bytes: 507, and everything is as it was; what needs no room goes on', async () => {
    const { disk, server, ada: asker } = on()
    const filled = fill(disk.folder)
    try {
      for (const [name, call] of Object.entries(calls(asker)))
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
      expect(await asker.ask('raw.get', '/folder', { query: { algo: 'targz' } })).toBe('200')
      expect(await transfer(asker, { action: 'rename', from: '/old.bin', to: '/moved.bin' })).toBe('200')
      expect(await transfer(asker, { action: 'rename', from: '/moved.bin', to: '/old.bin' })).toBe('200')
      expect(await asker.ask('resources.remove', '/doomed', { query: { permanent: 'true' } })).toBe('200')
      expect(await asker.ask('settings.update', '', { body: '{"signup":true}' })).toBe('200')
      expect(await asker.ask('shares.create', '/old.bin', { body: '{}' })).toBe('200')
      expect(await loginStatus(server, ada)).toBe(200)
    } finally {
      filled.free()
    }
    expect(await asker.ask('resources.create', '/new.bin', { body: bytes })).toBe('200')
    expect(await transfer(asker, { action: 'copy', from: '/folder', to: '/copy' })).toBe('200')
    for (const name of ['/new.bin', '/copy'])
      expect(await asker.ask('resources.remove', name, { query: { permanent: 'true' } })).toBe('200')
  })

  test('while an upload in parts comes: what was answered stays, and it goes on when there is room', async () => {
    const { disk, ada: asker } = on()
    const whole = Buffer.concat([bytes, Buffer.alloc(megabyte, 'rest')])
    const headers = { 'upload-length': String(whole.length) }
    expect(await asker.ask('tus.begin', '/parts.bin', { headers })).toBe('201')
    const part = (from: number, to: number) =>
      asker.ask('tus.continue', '/parts.bin', {
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
        body: whole.subarray(from, to),
      })
    expect(await part(0, megabyte)).toBe('204')
    const filled = fill(disk.folder)
    expect(await part(megabyte, whole.length)).toBe(noSpace)
    filled.free()
    const { headers: shown } = await asker.tell('tus.show', '/parts.bin')
    const offset = Number(shown.get('upload-offset'))
    expect(offset).toBeGreaterThanOrEqual(megabyte)
    expect(await part(offset, whole.length)).toBe('204')
    expect(readFileSync(path.join(disk.folder, 'parts.bin')).equals(whole)).toBe(true)
    expect(await asker.ask('resources.remove', '/parts.bin', { query: { permanent: 'true' } })).toBe('200')
  })

  test('of names: 507, and everything is as it was', async () => {
    const { disk, ada: asker } = on()
    const before = readdirSync(disk.folder).toSorted()
    const names: string[] = []
    for (; ; names.push(`name-${names.length}`))
      if (!isMade(path.join(disk.folder, `name-${names.length}`))) break
    const made = { ...calls(asker), 'a folder': () => asker.ask('resources.create', '/folder-2/') }
    for (const [name, call] of Object.entries(made)) expect([name, await call()]).toEqual([name, noSpace])
    expect(await asker.ask('resources.get')).toBe('200')
    for (const name of names)
      expect(await asker.ask('resources.remove', `/${name}`, { query: { permanent: 'true' } })).toBe('200')
    expect(readdirSync(disk.folder).toSorted()).toEqual(before)
    expect(readFileSync(path.join(disk.folder, 'old.bin'), 'utf8')).toBe(tree['old.bin'])
    expect(await asker.ask('resources.create', '/folder-2/')).toBe('200')
  })
})

/**
 * Repeats a request until it is refused, because small writes succeed as long as allocated blocks have free space.
 * Returns the refusal.
 */
async function untilRefused(call: (n: number) => Promise<string>): Promise<string> {
  for (let n = 0; n < 5000; n += 1) {
    const said = await call(n)
    if (!said.startsWith('20')) return said
  }
  return '200'
}

/**
 * Requests that the server records in its journal before it starts to write, so that staged files are removed when the
 * server is stopped in between.
 */
const noted = (who: RequestSender): Readonly<Record<string, (n: number) => Promise<string>>> => ({
  // A small upload with a Content-Length needs no journal entry where the file system has unnamed files (O_TMPFILE);
  // this upload has no Content-Length.
  'an upload': (n) => who.ask('resources.create', `/new-${n}.bin`, { pieces: [Buffer.from('few bytes')] }),
  'an overwrite': () =>
    who.ask('resources.create', '/changed.txt', { body: 'after', query: { override: 'true' } }),
  'a save': () => who.ask('resources.save', '/changed.txt', { body: 'after' }),
  'an upload in parts': () => who.ask('tus.begin', '/parts.bin', { headers: { 'upload-length': '5' } }),
  'a copy of a file': (n) => transfer(who, { action: 'copy', from: '/changed.txt', to: `/copy-${n}.txt` }),
  'a copy over a file': () =>
    transfer(who, { action: 'copy', from: '/folder/a.bin', to: '/old.bin', override: 'true' }),
  'a copy of a folder': (n) => transfer(who, { action: 'copy', from: '/doomed', to: `/copy-${n}` }),
})

function isMade(file: string): boolean {
  try {
    writeFileSync(file, '')
    return true
  } catch {
    return false
  }
}

describe.skipIf(!canMount())("a full disk under the server's own files (needs leave to mount)", () => {
  const on = serverOnDisk({ makeDisk: () => memoryDisk('size=8m'), holds: 'state', files: tree })

  test('507 for what has to be kept; reading goes on, and everything when there is room', async () => {
    const { disk, server, ada: asker } = on()
    const filled = fill(disk.folder)
    try {
      const change = (n: number) =>
        asker.ask('settings.update', '', {
          body: JSON.stringify({ branding: { name: `${n}`.repeat(1000) } }),
        })
      expect(await untilRefused(change)).toBe(noSpace)
      expect(await untilRefused(() => asker.ask('shares.create', '/old.bin', { body: '{}' }))).toBe(noSpace)
      for (const [name, call] of Object.entries(noted(asker)))
        expect([name, await untilRefused(call)]).toEqual([name, noSpace])
      await asker.ask('tus.abort', '/parts.bin')
      expect(await stagedIn(server.folder)).toEqual([])
      expect(['before', 'after']).toContain(readFileSync(path.join(server.folder, 'changed.txt'), 'utf8'))
      expect([tree['old.bin'], tree.folder['a.bin']]).toContain(
        readFileSync(path.join(server.folder, 'old.bin'), 'utf8'),
      )
      expect(await loginStatus(server, ada)).toBe(507)
      for (const route of ['health.get', 'settings.get', 'users.list', 'shares.list'] as const)
        expect([route, await asker.ask(route, '')]).toEqual([route, '200'])
      expect(await asker.ask('resources.get')).toBe('200')
      expect(await asker.ask('raw.get', '/old.bin')).toBe('200')
      expect(await asker.ask('raw.get', '/folder', { query: { algo: 'zip' } })).toBe('200')
      // A change that the file system makes atomically needs no journal entry.
      expect(await transfer(asker, { action: 'rename', from: '/changed.txt', to: '/folder/moved.txt' })).toBe(
        '200',
      )
      expect(await transfer(asker, { action: 'rename', from: '/folder', to: '/moved' })).toBe('200')
      expect(await asker.ask('resources.create', '/made/')).toBe('200')
      expect(await asker.ask('resources.remove', '/moved/moved.txt', { query: { permanent: 'true' } })).toBe(
        '200',
      )
      expect(await asker.ask('resources.remove', '/doomed', { query: { permanent: 'true' } })).toBe('200')
      expect(await stagedIn(server.folder)).toEqual([])
    } finally {
      filled.free()
    }
    expect(await asker.ask('settings.update', '', { body: '{"branding":{"name":"again"}}' })).toBe('200')
    expect(await loginStatus(server, ada)).toBe(200)
    expect(await asker.ask('resources.create', '/new.bin', { body: 'new' })).toBe('200')
    await server.stop('SIGKILL')
    await server.start()
    const { text } = await asker.tell('settings.get', '')
    expect(JSON.parse(text)).toMatchObject({ branding: { name: 'again' } })
  })
})
