import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canMount, memoryDisk, type MemoryDisk } from '../kit/mounts.ts'
import { ada, ann, runServer, type RunningServer } from '../kit/run-server.ts'
import { makeTree, treeOf } from '../kit/tree.ts'
import { signInAs, loginStatus, type RequestSender } from './requests.ts'

const unavailable = '503 unavailable'
const confined = { ...ann, flags: ['--scope=/ann'] }
const tree = { 'old.txt': 'old', ann: { 'hers.txt': 'hers' } }

/** Requests to all kinds of endpoints that read or change files. */
const calls = (sender: RequestSender): Readonly<Record<string, () => Promise<string>>> => ({
  list: () => sender.call('resources.get'),
  download: () => sender.call('raw.get', '/old.txt'),
  archive: () => sender.call('raw.get', '/', { query: { algo: 'zip' } }),
  upload: () => sender.call('resources.create', '/new.txt', { body: 'new' }),
  save: () => sender.call('resources.save', '/old.txt', { body: 'new' }),
  parts: () => sender.call('tus.begin', '/parts.txt', { headers: { 'upload-length': '3' } }),
  folder: () => sender.call('resources.create', '/folder/'),
  move: () =>
    sender.call('resources.transfer', '/old.txt', { query: { action: 'rename', destination: '/moved.txt' } }),
  remove: () => sender.call('resources.remove', '/old.txt', { query: { permanent: 'true' } }),
})

const outcomesOf = async (sender: RequestSender): Promise<Record<string, string>> => {
  const outcome: Record<string, string> = {}
  for (const [name, call] of Object.entries(calls(sender))) outcome[name] = await call()
  return outcome
}

const everyCallWith = (outcome: string) =>
  Object.fromEntries(Object.keys(calls({} as RequestSender)).map((name) => [name, outcome]))

type VanishingDiskServer = {
  readonly server: RunningServer
  readonly admin: RequestSender
  readonly confinedUser: RequestSender
}

async function open(folder: string): Promise<VanishingDiskServer> {
  const server = await runServer({ folder, people: [ada, confined] })
  return { server, admin: await signInAs(server, ada), confinedUser: await signInAs(server, ann) }
}

describe.skipIf(!canMount())('a disk that is unmounted (needs permission to mount)', () => {
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

  test('requests get 503, nothing is written to the mount point, and a disk that is mounted again is served', async () => {
    const { server, admin, confinedUser } = opened
    disk.unmount()
    expect(await outcomesOf(admin)).toEqual(everyCallWith(unavailable))
    expect(await outcomesOf(confinedUser)).toEqual(everyCallWith(unavailable))
    for (const sender of [admin, confinedUser]) expect(await sender.call('sessions.list', '')).toBe('200')
    expect(await admin.call('settings.update', '', { body: '{"signup":true}' })).toBe('200')
    expect([await admin.call('health.get', ''), await loginStatus(server, ann)]).toEqual(['200', 200])
    expect(readdirSync(disk.folder)).toEqual([])
    disk.mount()
    await makeTree(disk.folder, { 'another.txt': 'another', ann: {} })
    expect((await admin.send('raw.get', '/another.txt')).text).toBe('another')
    expect(await admin.call('resources.create', '/new.txt', { body: 'new' })).toBe('200')
    await expect.poll(() => confinedUser.call('resources.create', '/hers.txt', { body: 'hers' })).toBe('200')
    expect(await treeOf(disk.folder)).toEqual({
      'another.txt': 'another',
      'new.txt': 'new',
      ann: { 'hers.txt': 'hers' },
    })
  })

  test('an upload during which the disk is unmounted is not confirmed', async () => {
    const { admin } = opened
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    async function* slowly(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
      yield Buffer.from('first ')
      await mayEnd
      yield Buffer.from('second')
    }
    const outcome = admin.call('resources.create', '/slow.txt', { chunks: slowly() })
    await expect
      .poll(() => readdirSync(disk.folder).some((name) => name.endsWith('.stowage-part')))
      .toBe(true)
    disk.unmount()
    end()
    expect(await outcome).toBe(unavailable)
    expect(readdirSync(disk.folder)).toEqual([])
    disk.mount()
    expect(await admin.call('resources.create', '/slow.txt', { body: 'again' })).toBe('200')
    expect(await treeOf(disk.folder)).toEqual({ 'slow.txt': 'again' })
  })
})

describe.skipIf(!canMount())('a disk that is mounted after the start (needs permission to mount)', () => {
  test('is served in place of the empty folder', async () => {
    const disk = memoryDisk('size=96m')!
    disk.unmount()
    const { server, admin } = await open(disk.folder)
    try {
      expect(await admin.call('resources.get')).toBe('200')
      disk.mount()
      await makeTree(disk.folder, tree)
      expect((await admin.send('raw.get', '/old.txt')).text).toBe('old')
    } finally {
      await server.remove()
      disk.remove()
    }
  })
})

describe('a served folder that other programs change', () => {
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

  test('is still served after it was renamed, and gets 503 from its removal until a new folder exists', async () => {
    const { admin } = opened
    const elsewhere = path.join(top, 'elsewhere')
    renameSync(folder, elsewhere)
    mkdirSync(folder)
    expect((await admin.send('raw.get', '/old.txt')).text).toBe('old')
    rmSync(elsewhere, { recursive: true })
    rmSync(folder, { recursive: true })
    expect(await outcomesOf(admin)).toEqual(everyCallWith(unavailable))
    await makeTree(top, { served: { 'again.txt': 'again' } })
    expect((await admin.send('raw.get', '/again.txt')).text).toBe('again')
  })

  const bigBytes = 64 * 1024 * 1024

  /**
   * Starts a download and calls `onFirstBytes` when its first bytes have arrived. Returns the number of received bytes,
   * and whether the download was complete.
   */
  async function downloaded(onFirstBytes: () => void): Promise<{ bytes: number; isWhole: boolean }> {
    const { server, admin } = opened
    const { text: ticket } = await admin.send('tickets.create', '', {
      body: JSON.stringify({ path: '/big.bin', kind: 'raw' }),
    })
    return new Promise((resolve, reject) => {
      let bytes = 0
      const outgoing = request(`${server.url}/api/raw/big.bin?auth=${ticket}`, (response) => {
        response.once('data', onFirstBytes)
        response.on('data', (chunk: Buffer) => (bytes += chunk.length))
        response.on('error', () => {})
        response.once('close', () => resolve({ bytes, isWhole: response.complete }))
      })
      outgoing.once('error', reject).end()
    })
  }

  test('a file that is removed during its download is sent completely, and the download of a truncated file is aborted', async () => {
    const big = path.join(folder, 'big.bin')
    writeFileSync(big, Buffer.alloc(bigBytes, 'b'))
    expect(await downloaded(() => rmSync(big))).toEqual({ bytes: bigBytes, isWhole: true })
    writeFileSync(big, Buffer.alloc(bigBytes, 'b'))
    const cut = await downloaded(() => truncateSync(big, 10))
    expect([cut.isWhole, cut.bytes < bigBytes]).toEqual([false, true])
    expect((await opened.admin.send('raw.get', '/big.bin')).text).toBe('bbbbbbbbbb')
  })

  test('a folder that is removed while it is listed gives a listing or 404', async () => {
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`name-${n}`, '']))
    await makeTree(folder, { many })
    const listing = Array.from({ length: 8 }, () => opened.admin.call('resources.get', '/many'))
    rmSync(path.join(folder, 'many'), { recursive: true })
    for (const outcome of await Promise.all(listing)) expect(['200', '404 not-found']).toContain(outcome)
    expect(await opened.admin.call('resources.get', '/many')).toBe('404 not-found')
  })
})
