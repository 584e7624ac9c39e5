import { existsSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { readableStallingDisk, writableStallingDisk, type StallingDisk } from '../kit/mounts.ts'
import { ada, ann, runServer, type RunningServer } from '../kit/run-server.ts'
import { makeTree } from '../kit/tree.ts'
import { signInAs, loginStatus, stagedIn, type RequestSender } from './requests.ts'

const confined = { ...ann, flags: ['--scope=/slow'] }
const permanent = { query: { permanent: 'true' } }
/**
 * The possible outcomes of a request to a disk that hangs: status 503 without delay when the limit of hanging threads
 * is reached, status 504 after the deadline, and a broken connection when the response had already begun.
 */
const noResponse = ['503 unavailable', '504 timeout', 'cut off']
const files = { slow: {}, local: { 'old.txt': 'old' } }
const patience = { timeout: 30_000 }

type ServerWithStallingDisk = {
  readonly server: RunningServer
  readonly disk: StallingDisk
  readonly admin: RequestSender
  readonly confinedUser: RequestSender
}

/**
 * Starts a server and mounts a disk that can be stalled in the served folder. Returns null on machines that cannot
 * mount this disk.
 */
async function open(flags: readonly string[]): Promise<ServerWithStallingDisk | null> {
  const server = await runServer({ people: [ada, confined], flags, files })
  const disk = await readableStallingDisk(`${server.folder}/slow`)
  onTestFinished(async () => {
    disk?.resume()
    await server.stop('SIGKILL')
    await disk?.remove()
    await server.remove()
  })
  if (disk === null) return null
  return { server, disk, admin: await signInAs(server, ada), confinedUser: await signInAs(server, ann) }
}

/** Collects the outcomes of several requests, and counts the requests that have ended so far. */
function countSettled(requests: readonly Promise<string>[]): {
  readonly settledCount: () => number
  readonly all: Promise<string[]>
} {
  let settledCount = 0
  for (const outcome of requests) {
    const countOne = (): void => void (settledCount += 1)
    outcome.then(countOne, countOne)
  }
  return { settledCount: () => settledCount, all: Promise.all(requests) }
}

/** Returns the file descriptors of the server that refer to the disk. */
const openDescriptorsOf = ({ server, disk }: ServerWithStallingDisk): string[] =>
  readdirSync(`/proc/${server.pid()}/fd`).flatMap((descriptor) => {
    const target = targetOf(`/proc/${server.pid()}/fd/${descriptor}`)
    return target.startsWith(`${disk.folder}/`) ? [target] : []
  })

/** Reads a link of `/proc`. Returns an empty string when the descriptor has been closed. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

const diskRequests = ({ admin, confinedUser }: ServerWithStallingDisk): readonly Promise<string>[] => [
  ...Array.from({ length: 30 }, () => admin.call('resources.get', '/slow')),
  ...Array.from({ length: 30 }, () => admin.call('raw.get', '/slow/file.bin')),
  ...Array.from({ length: 10 }, () => confinedUser.call('resources.get')),
]

test('a disk that hangs delays only requests to that disk (needs FUSE)', async ({ skip }) => {
  const opened = await open([])
  if (opened === null) {
    skip('no FUSE disk may be mounted here')
    return
  }
  const { server, disk, admin, confinedUser } = opened
  disk.stall()
  const stalled = countSettled(diskRequests(opened))
  for (const route of ['health.get', 'settings.get', 'users.list', 'sessions.list', 'shares.list'] as const)
    expect([route, await admin.call(route, '')]).toEqual([route, '200'])
  expect(await confinedUser.call('sessions.list', '')).toBe('200')
  expect((await fetch(`${server.url}/`)).status).toBe(200)
  expect(await loginStatus(server, ann)).toBe(200)
  expect(await admin.call('resources.get', '/local')).toBe('200')
  expect(await admin.call('resources.create', '/local/new.txt', { body: 'new' })).toBe('200')
  expect(await admin.call('raw.get', '/local/new.txt')).toBe('200')
  expect(await admin.call('raw.get', '/local', { query: { algo: 'zip' } })).toBe('200')
  expect(stalled.settledCount()).toBe(0)
  disk.resume()
  expect(new Set(await stalled.all)).toEqual(new Set(['200']))
})

test('requests to a disk that hangs fail, and succeed when the disk works again (needs FUSE)', async ({
  skip,
}) => {
  const opened = await open(['--diskTimeout=2s'])
  if (opened === null) {
    skip('no FUSE disk may be mounted here')
    return
  }
  const { disk, admin, confinedUser } = opened
  disk.stall()
  for (const outcome of await Promise.all(diskRequests(opened))) expect(noResponse).toContain(outcome)
  await expect.poll(() => admin.call('resources.get', '/local'), patience).toBe('200')
  disk.resume()
  await expect.poll(() => admin.call('raw.get', '/slow/file.bin'), patience).toBe('200')
  await expect.poll(() => confinedUser.call('resources.get'), patience).toBe('200')
  expect(await isDownloadedWhole(opened)).toBe(false)
  await expect.poll(() => admin.call('raw.get', '/slow/file.bin'), patience).toBe('200')
  await expect.poll(() => openDescriptorsOf(opened), patience).toEqual([])
})

/** Downloads a file from a disk that stalls after the first bytes. Returns true when the download was complete. */
async function isDownloadedWhole({ server, disk, admin }: ServerWithStallingDisk): Promise<boolean> {
  const body = JSON.stringify({ path: '/slow/file.bin', kind: 'raw' })
  const { text: ticket } = await admin.send('tickets.create', '', { body })
  return new Promise<boolean>((resolve, reject) => {
    const requests = request(`${server.url}/api/raw/slow/file.bin?auth=${ticket}`, (response) => {
      disk.stall()
      response.on('error', () => {}).once('close', () => resolve(response.complete))
      response.resume()
    })
    requests.once('error', reject).end()
  }).finally(() => disk.resume())
}

test('changes on a disk that hangs: 504, no incomplete files, and other requests succeed (needs a loop device)', async ({
  skip,
}) => {
  const frozen = writableStallingDisk(160 * 1024 * 1024)
  if (frozen === null) {
    skip('no disk in a file may be mounted and frozen here')
    return
  }
  rmSync(`${frozen.folder}/lost+found`, { recursive: true })
  await makeTree(frozen.folder, { 'old.txt': 'old', folder: { 'a.txt': 'a' }, 'moving.txt': 'm' })
  const own = await runServer({ folder: frozen.folder, people: [ada], flags: ['--diskTimeout=2s'] })
  try {
    const sender = await signInAs(own, ada)
    frozen.stall()
    const transfer = (action: string, from: string, destination: string) =>
      sender.call('resources.transfer', from, { query: { action, destination } })
    const stalled = Promise.all([
      sender.call('resources.create', '/new.txt', { body: 'new' }),
      sender.call('resources.create', '/old.txt', { body: 'new', query: { override: 'true' } }),
      sender.call('resources.save', '/old.txt', { body: 'saved' }),
      sender.call('resources.create', '/folder-2/'),
      transfer('copy', '/folder', '/copy'),
      transfer('rename', '/moving.txt', '/moved.txt'),
      sender.call('resources.remove', '/folder/a.txt', permanent),
    ])
    expect(await sender.call('settings.update', '', { body: '{"signup":true}' })).toBe('200')
    await expect.poll(async () => (await sender.send('raw.get', '/old.txt')).text, patience).toBe('old')
    for (const outcome of await stalled) expect(noResponse).toContain(outcome)
    frozen.resume()
    await expect.poll(() => stagedIn(frozen.folder), patience).toEqual([])
    expect(['old', 'new', 'saved']).toContain(readFileSync(`${frozen.folder}/old.txt`, 'utf8'))
    expect(['moved.txt', 'moving.txt'].filter((name) => existsSync(`${frozen.folder}/${name}`))).toHaveLength(
      1,
    )
    expect(await sender.call('resources.create', '/again.txt', { body: 'again' })).toBe('200')
    expect(await sender.call('resources.remove', '/folder', permanent)).toBe('200')
  } finally {
    frozen.resume()
    await own.remove()
    await frozen.remove()
  }
})
