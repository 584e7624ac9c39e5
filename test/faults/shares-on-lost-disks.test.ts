import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canMount, memoryDisk, type MemoryDisk } from '../kit/mounts.ts'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { makeTree } from '../kit/tree.ts'
import { signInAs, type RequestSender } from './requests.ts'

const tree = { docs: { 'a.txt': 'shared' }, in: {}, 'one.txt': 'one' }

/** A server with shares of a folder, a file and an upload-only folder on a disk that can be unmounted. */
type SharesOnDisk = {
  readonly server: RunningServer
  readonly admin: RequestSender
  /** Returns what guests get from the folder, the file in it, the shared file and the upload-only folder. */
  readonly seen: () => Promise<readonly string[]>
}

const available = ['200', '200 shared', '200 one', '200']
const waiting = Array<string>(4).fill('503')

async function shareAll(server: RunningServer, below: string): Promise<SharesOnDisk> {
  const admin = await signInAs(server, ada)
  const share = async (entry: string, terms: object): Promise<string> => {
    const { text } = await admin.send('shares.create', `${below}${entry}`, { body: JSON.stringify(terms) })
    return (JSON.parse(text) as { readonly hash: string }).hash
  }
  const [folder, file, drop] = [
    await share('/docs/', {}),
    await share('/one.txt', {}),
    await share('/in/', { mode: 'upload-only' }),
  ]
  const asGuest = async (rest: string, options: RequestInit = {}): Promise<string> => {
    const response = await fetch(`${server.url}/api/public/${rest}`, options)
    const text = await response.text()
    return rest.startsWith('dl') && response.ok ? `${response.status} ${text}` : String(response.status)
  }
  const seen = async (): Promise<readonly string[]> => [
    await asGuest(`share/${folder}`),
    await asGuest(`dl/${folder}/a.txt`),
    await asGuest(`dl/${file}`),
    await asGuest(`drop/${drop}/new.txt`, { method: 'POST', body: 'new' }),
  ]
  return { server, admin, seen }
}

const listed = async (admin: RequestSender): Promise<readonly string[]> => {
  const shares = JSON.parse((await admin.send('shares.list', '')).text) as { readonly path: string }[]
  return shares.map((share) => share.path).toSorted()
}

describe.skipIf(!canMount())('shares of a disk below the served folder (needs permission to mount)', () => {
  let disk: MemoryDisk
  let folder: string
  let opened: SharesOnDisk
  let isMounted = false
  const mount = (): void => {
    execFileSync('mount', ['--bind', disk.folder, path.join(folder, 'usb')])
    isMounted = true
  }
  const unmount = (): void => {
    execFileSync('umount', ['-l', path.join(folder, 'usb')])
    isMounted = false
  }

  beforeAll(async () => {
    disk = memoryDisk('size=96m')!
    await makeTree(disk.folder, tree)
    folder = mkdtempSync(path.join(tmpdir(), 'stowage-files-'))
    mkdirSync(path.join(folder, 'usb'))
    mount()
    opened = await shareAll(await runServer({ folder, people: [ada] }), '/usb')
  })
  afterAll(async () => {
    await opened?.server.remove()
    if (isMounted) unmount()
    disk?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  test('wait while it is missing, whatever is made, renamed or deleted in its place', async () => {
    const { admin, seen } = opened
    const links = await listed(admin)
    expect(await seen()).toEqual(available)
    unmount()
    expect(await seen()).toEqual(waiting)
    await makeTree(path.join(folder, 'usb'), { docs: { 'a.txt': 'wrong' }, in: {}, 'one.txt': 'wrong' })
    expect(await seen()).toEqual(waiting)
    const rename = { query: { action: 'rename', destination: '/usb/other' } }
    const changes = [
      await admin.call('resources.transfer', '/usb/docs/', rename),
      await admin.call('resources.create', '/usb/docs/'),
      await admin.call('resources.remove', '/usb/one.txt', { query: { permanent: 'true' } }),
      await admin.call('resources.remove', '/usb/', { query: { permanent: 'true' } }),
      await admin.call('resources.create', '/usb/docs/'),
    ]
    expect(changes).toEqual(['200', '200', '200', '200', '200'])
    expect([await seen(), await listed(admin)]).toEqual([waiting, links])
    expect(readdirSync(path.join(folder, 'usb'), { recursive: true })).toEqual(['docs'])
    mount()
    expect([await seen(), await listed(admin)]).toEqual([available, links])
    unmount()
    rmSync(path.join(folder, 'usb/docs'), { recursive: true })
    mount()
  })

  test('wait for it after a start without it, and work on a disk that replaces it', async () => {
    const { server, seen } = opened
    unmount()
    await server.stop()
    await makeTree(path.join(folder, 'usb'), { docs: { 'a.txt': 'wrong' } })
    await server.start()
    expect(await seen()).toEqual(waiting)
    rmSync(path.join(folder, 'usb/docs'), { recursive: true })
    disk.unmount()
    disk.mount()
    await makeTree(disk.folder, tree)
    mount()
    expect(await seen()).toEqual(available)
  })

  test('move with their entry to another disk, and end with it', async () => {
    const { admin, seen } = opened
    const move = { query: { action: 'rename', destination: '/docs' } }
    expect(await admin.call('resources.transfer', '/usb/docs/', move)).toBe('200')
    unmount()
    expect(await seen()).toEqual(['200', '200 shared', '503', '503'])
    mount()
    for (const entry of ['/docs/', '/usb/one.txt', '/usb/in/'])
      expect(await admin.call('resources.remove', entry, { query: { permanent: 'true' } })).toBe('200')
    expect([await seen(), await listed(admin)]).toEqual([Array<string>(4).fill('404'), []])
  })
})

describe.skipIf(!canMount())('shares of the disk that is served (needs permission to mount)', () => {
  test('wait after a start on the empty mount point, and work again with the disk', async () => {
    const disk = memoryDisk('size=96m')!
    const place = mkdtempSync(path.join(tmpdir(), 'stowage-files-'))
    const bind = (): void => void execFileSync('mount', ['--bind', disk.folder, place])
    const unbind = (): void => void execFileSync('umount', ['-l', place])
    await makeTree(disk.folder, tree)
    bind()
    const { server, seen } = await shareAll(await runServer({ folder: place, people: [ada] }), '')
    try {
      expect(await seen()).toEqual(available)
      await server.stop()
      unbind()
      await server.start()
      const admin = await signInAs(server, ada)
      expect(await admin.call('resources.create', '/docs/')).toBe('200')
      expect([await seen(), (await listed(admin)).length]).toEqual([waiting, 3])
      bind()
      await expect.poll(seen).toEqual(available)
    } finally {
      await server.remove()
      unbind()
      disk.remove()
      rmSync(place, { recursive: true, force: true })
    }
  })
})

describe.skipIf(!canMount())(
  'shares of a folder that was only mounted a second time (needs permission to mount)',
  () => {
    test('work without that mount', async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'stowage-files-'))
      await makeTree(folder, tree)
      execFileSync('mount', ['--bind', folder, folder])
      let isMounted = true
      const { server, seen } = await shareAll(await runServer({ folder, people: [ada] }), '')
      try {
        expect(await seen()).toEqual(available)
        await server.stop()
        execFileSync('umount', ['-l', folder])
        isMounted = false
        await server.start()
        expect(await seen()).toEqual(available)
      } finally {
        await server.remove()
        if (isMounted) execFileSync('umount', ['-l', folder])
        rmSync(folder, { recursive: true, force: true })
      }
    })
  },
)
