import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canMount, memoryDisk, type MemoryDisk } from '../kit/mounts.ts'
import { ada, ann, runServer, type RunningServer } from '../kit/run-server.ts'
import { makeTree, treeOf } from '../kit/tree.ts'
import { askAs, loginStatus, type RequestSender } from './requests.ts'

const unavailable = '503 unavailable'
const confined = { ...ann, flags: ['--scope=/ann'] }
const tree = { 'old.txt': 'old', ann: { 'hers.txt': 'hers' } }

/** Requests to all kinds of endpoints that read or change files. */
const calls = (who: RequestSender): Readonly<Record<string, () => Promise<string>>> => ({
  list: () => who.ask('resources.get'),
  download: () => who.ask('raw.get', '/old.txt'),
  archive: () => who.ask('raw.get', '/', { query: { algo: 'zip' } }),
  upload: () => who.ask('resources.create', '/new.txt', { body: 'new' }),
  save: () => who.ask('resources.save', '/old.txt', { body: 'new' }),
  parts: () => who.ask('tus.begin', '/parts.txt', { headers: { 'upload-length': '3' } }),
  folder: () => who.ask('resources.create', '/folder/'),
  move: () =>
    who.ask('resources.transfer', '/old.txt', { query: { action: 'rename', destination: '/moved.txt' } }),
  remove: () => who.ask('resources.remove', '/old.txt', { query: { permanent: 'true' } }),
})

const saidBy = async (who: RequestSender): Promise<Record<string, string>> => {
  const said: Record<string, string> = {}
  for (const [name, call] of Object.entries(calls(who))) said[name] = await call()
  return said
}

const all = (said: string) =>
  Object.fromEntries(Object.keys(calls({} as RequestSender)).map((name) => [name, said]))

type VanishingDiskServer = {
  readonly server: RunningServer
  readonly admin: RequestSender
  readonly her: RequestSender
}

async function open(folder: string): Promise<VanishingDiskServer> {
  const server = await runServer({ folder, people: [ada, confined] })
  return { server, admin: await askAs(server, ada), her: await askAs(server, ann) }
}

describe.skipIf(!canMount())('a disk that is taken away (needs leave to mount)', () => {
  let disk: MemoryDisk
  let opened: VanishingDiskServer
  beforeAll(async () => {
    disk = memoryDisk('size=96m')!
    await makeTree(disk.folder, tree)
    opened = await open(disk.folder)
  })
  afterAll(async () => {
    await opened?.server.remove()
    disk?.remove()
  })

  test('503 for its files, nothing lands in the empty folder below, and the disk that comes is served', async () => {
    const { server, admin, her } = opened
    disk.unmount()
    expect(await saidBy(admin)).toEqual(all(unavailable))
    expect(await saidBy(her)).toEqual(all(unavailable))
    for (const who of [admin, her]) expect(await who.ask('sessions.list', '')).toBe('200')
    expect(await admin.ask('settings.update', '', { body: '{"signup":true}' })).toBe('200')
    expect([await admin.ask('health.get', ''), await loginStatus(server, ann)]).toEqual(['200', 200])
    expect(readdirSync(disk.folder)).toEqual([])
    disk.mount()
    await makeTree(disk.folder, { 'another.txt': 'another', ann: {} })
    expect((await admin.tell('raw.get', '/another.txt')).text).toBe('another')
    expect(await admin.ask('resources.create', '/new.txt', { body: 'new' })).toBe('200')
    await expect.poll(() => her.ask('resources.create', '/hers.txt', { body: 'hers' })).toBe('200')
    expect(await treeOf(disk.folder)).toEqual({
      'another.txt': 'another',
      'new.txt': 'new',
      ann: { 'hers.txt': 'hers' },
    })
  })

  test('while an upload comes: it is not said to be there', async () => {
    const { admin } = opened
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    async function* slowly(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
      yield Buffer.from('first ')
      await mayEnd
      yield Buffer.from('second')
    }
    const said = admin.ask('resources.create', '/slow.txt', { pieces: slowly() })
    await expect
      .poll(() => readdirSync(disk.folder).some((name) => name.endsWith('.stowage-part')))
      .toBe(true)
    disk.unmount()
    end()
    expect(await said).toBe(unavailable)
    expect(readdirSync(disk.folder)).toEqual([])
    disk.mount()
    expect(await admin.ask('resources.create', '/slow.txt', { body: 'again' })).toBe('200')
    expect(await treeOf(disk.folder)).toEqual({ 'slow.txt': 'again' })
  })
})

describe.skipIf(!canMount())('a disk that comes late (needs leave to mount)', () => {
  test('covers the empty folder, and is served', async () => {
    const disk = memoryDisk('size=96m')!
    disk.unmount()
    const { server, admin } = await open(disk.folder)
    try {
      expect(await admin.ask('resources.get')).toBe('200')
      disk.mount()
      await makeTree(disk.folder, tree)
      expect((await admin.tell('raw.get', '/old.txt')).text).toBe('old')
    } finally {
      await server.remove()
      disk.remove()
    }
  })
})

describe('a served folder that others change', () => {
  let top: string
  let folder: string
  let opened: VanishingDiskServer
  beforeAll(async () => {
    top = mkdtempSync(path.join(tmpdir(), 'stowage-top-'))
    folder = path.join(top, 'served')
    await makeTree(top, { served: tree })
    opened = await open(folder)
  })
  afterAll(async () => {
    await opened?.server.remove()
    rmSync(top, { recursive: true, force: true })
  })

  test('renamed, it is still the same folder; removed, it is 503 until there is one again', async () => {
    const { admin } = opened
    const elsewhere = path.join(top, 'elsewhere')
    renameSync(folder, elsewhere)
    mkdirSync(folder)
    expect((await admin.tell('raw.get', '/old.txt')).text).toBe('old')
    rmSync(elsewhere, { recursive: true })
    rmSync(folder, { recursive: true })
    expect(await saidBy(admin)).toEqual(all(unavailable))
    await makeTree(top, { served: { 'again.txt': 'again' } })
    expect((await admin.tell('raw.get', '/again.txt')).text).toBe('again')
  })

  const bigBytes = 64 * 1024 * 1024

  /**
   * Starts a download and calls `happen` after its first bytes. Returns the number of received bytes, and whether the
   * download was complete.
   */
  async function downloaded(happen: () => void): Promise<{ bytes: number; isWhole: boolean }> {
    const { server, admin } = opened
    const { text: ticket } = await admin.tell('tickets.create', '', {
      body: JSON.stringify({ path: '/big.bin', kind: 'raw' }),
    })
    return new Promise((resolve, reject) => {
      let bytes = 0
      const asked = request(`${server.url}/api/raw/big.bin?auth=${ticket}`, (response) => {
        response.once('data', happen)
        response.on('data', (chunk: Buffer) => (bytes += chunk.length))
        response.on('error', () => {})
        response.once('close', () => resolve({ bytes, isWhole: response.complete }))
      })
      asked.once('error', reject).end()
    })
  }

  test('a file that is removed while it is downloaded comes whole; one that is cut short ends without its end', async () => {
    const big = path.join(folder, 'big.bin')
    writeFileSync(big, Buffer.alloc(bigBytes, 'b'))
    expect(await downloaded(() => rmSync(big))).toEqual({ bytes: bigBytes, isWhole: true })
    writeFileSync(big, Buffer.alloc(bigBytes, 'b'))
    const cut = await downloaded(() => truncateSync(big, 10))
    expect([cut.isWhole, cut.bytes < bigBytes]).toEqual([false, true])
    expect((await opened.admin.tell('raw.get', '/big.bin')).text).toBe('bbbbbbbbbb')
  })

  test('a folder that goes while it is listed leaves a clear answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`name-${n}`, '']))
    await makeTree(folder, { many })
    const listing = Array.from({ length: 8 }, () => opened.admin.ask('resources.get', '/many'))
    rmSync(path.join(folder, 'many'), { recursive: true })
    for (const said of await Promise.all(listing)) expect(['200', '404 not-found']).toContain(said)
    expect(await opened.admin.ask('resources.get', '/many')).toBe('404 not-found')
  })
})
