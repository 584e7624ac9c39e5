import { existsSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { readableStallingDisk, writableStallingDisk, type StallingDisk } from '../kit/mounts.ts'
import { ada, ann, runServer, type RunningServer } from '../kit/run-server.ts'
import { makeTree } from '../kit/tree.ts'
import { askAs, loginStatus, stagedIn, type RequestSender } from './requests.ts'

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
  readonly her: RequestSender
}

/**
 * Starts a server with a disk in its served folder that can be stalled. Returns null on machines that cannot mount this
 * disk.
 */
async function open(flags: readonly string[]): Promise<ServerWithStallingDisk | null> {
  const server = await runServer({ people: [ada, confined], flags, files })
  const disk = await readableStallingDisk(`${server.folder}/slow`)
  onTestFinished(async () => {
    disk?.goOn()
    await server.stop('SIGKILL')
    await disk?.remove()
    await server.remove()
  })
  if (disk === null) return null
  return { server, disk, admin: await askAs(server, ada), her: await askAs(server, ann) }
}

/** Collects the outcomes of several requests, and counts the requests that were answered so far. */
function counting(asked: readonly Promise<string>[]): {
  readonly heard: () => number
  readonly all: Promise<string[]>
} {
  let heard = 0
  for (const said of asked) {
    const hear = (): void => void (heard += 1)
    said.then(hear, hear)
  }
  return { heard: () => heard, all: Promise.all(asked) }
}

/** Returns the file descriptors of the server that refer to the disk. */
const openOf = ({ server, disk }: ServerWithStallingDisk): string[] =>
  readdirSync(`/proc/${server.pid()}/fd`).flatMap((descriptor) => {
    const target = targetOf(`/proc/${server.pid()}/fd/${descriptor}`)
    return target.startsWith(`${disk.folder}/`) ? [target] : []
  })

/** Reads a link of `/proc`. Returns an empty text when the descriptor has been closed. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

const ofTheDisk = ({ admin, her }: ServerWithStallingDisk): readonly Promise<string>[] => [
  ...Array.from({ length: 30 }, () => admin.ask('resources.get', '/slow')),
  ...Array.from({ length: 30 }, () => admin.ask('raw.get', '/slow/file.bin')),
  ...Array.from({ length: 10 }, () => her.ask('resources.get')),
]

test('a disk that does not answer holds up nobody who does not ask for it (needs FUSE)', async ({ skip }) => {
  const opened = await open([])
  if (opened === null) {
    skip('no FUSE disk may be mounted here')
    return
  }
  const { server, disk, admin, her } = opened
  disk.stall()
  const stalled = counting(ofTheDisk(opened))
  for (const route of ['health.get', 'settings.get', 'users.list', 'sessions.list', 'shares.list'] as const)
    expect([route, await admin.ask(route, '')]).toEqual([route, '200'])
  expect(await her.ask('sessions.list', '')).toBe('200')
  expect((await fetch(`${server.url}/`)).status).toBe(200)
  expect(await loginStatus(server, ann)).toBe(200)
  expect(await admin.ask('resources.get', '/local')).toBe('200')
  expect(await admin.ask('resources.create', '/local/new.txt', { body: 'new' })).toBe('200')
  expect(await admin.ask('raw.get', '/local/new.txt')).toBe('200')
  expect(await admin.ask('raw.get', '/local', { query: { algo: 'zip' } })).toBe('200')
  expect(stalled.heard()).toBe(0)
  disk.goOn()
  expect(new Set(await stalled.all)).toEqual(new Set(['200']))
})

test('who asks for a disk that does not answer hears of it, and is served when it does (needs FUSE)', async ({
  skip,
}) => {
  const opened = await open(['--diskTimeout=2s'])
  if (opened === null) {
    skip('no FUSE disk may be mounted here')
    return
  }
  const { disk, admin, her } = opened
  disk.stall()
  for (const said of await Promise.all(ofTheDisk(opened))) expect(noResponse).toContain(said)
  await expect.poll(() => admin.ask('resources.get', '/local'), patience).toBe('200')
  disk.goOn()
  await expect.poll(() => admin.ask('raw.get', '/slow/file.bin'), patience).toBe('200')
  await expect.poll(() => her.ask('resources.get'), patience).toBe('200')
  expect(await isDownloadedWhole(opened)).toBe(false)
  await expect.poll(() => admin.ask('raw.get', '/slow/file.bin'), patience).toBe('200')
  await expect.poll(() => openOf(opened), patience).toEqual([])
})

/** Downloads a file from a disk that stalls after the first bytes. Returns true when the download was complete. */
async function isDownloadedWhole({ server, disk, admin }: ServerWithStallingDisk): Promise<boolean> {
  const body = JSON.stringify({ path: '/slow/file.bin', kind: 'raw' })
  const { text: ticket } = await admin.tell('tickets.create', '', { body })
  return new Promise<boolean>((resolve, reject) => {
    const asked = request(`${server.url}/api/raw/slow/file.bin?auth=${ticket}`, (response) => {
      disk.stall()
      response.on('error', () => {}).once('close', () => resolve(response.complete))
      response.resume()
    })
    asked.once('error', reject).end()
  }).finally(() => disk.goOn())
}

test('changes on a disk that does not take them: 504 without halves, and others go on (needs a loop device)', async ({
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
    const who = await askAs(own, ada)
    frozen.stall()
    const transfer = (action: string, from: string, destination: string) =>
      who.ask('resources.transfer', from, { query: { action, destination } })
    const stalled = Promise.all([
      who.ask('resources.create', '/new.txt', { body: 'new' }),
      who.ask('resources.create', '/old.txt', { body: 'new', query: { override: 'true' } }),
      who.ask('resources.save', '/old.txt', { body: 'saved' }),
      who.ask('resources.create', '/folder-2/'),
      transfer('copy', '/folder', '/copy'),
      transfer('rename', '/moving.txt', '/moved.txt'),
      who.ask('resources.remove', '/folder/a.txt', permanent),
    ])
    expect(await who.ask('settings.update', '', { body: '{"signup":true}' })).toBe('200')
    await expect.poll(async () => (await who.tell('raw.get', '/old.txt')).text, patience).toBe('old')
    for (const said of await stalled) expect(noResponse).toContain(said)
    frozen.goOn()
    await expect.poll(() => stagedIn(frozen.folder), patience).toEqual([])
    expect(['old', 'new', 'saved']).toContain(readFileSync(`${frozen.folder}/old.txt`, 'utf8'))
    expect(['moved.txt', 'moving.txt'].filter((name) => existsSync(`${frozen.folder}/${name}`))).toHaveLength(
      1,
    )
    expect(await who.ask('resources.create', '/again.txt', { body: 'again' })).toBe('200')
    expect(await who.ask('resources.remove', '/folder', permanent)).toBe('200')
  } finally {
    frozen.goOn()
    await own.remove()
    await frozen.remove()
  }
})
