import { linkSync, mkdtempSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { readdir, truncate } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { absentStorage } from '../../src/server/access/absent-storage.ts'
import { later } from '../../src/server/concurrency/later.ts'
import { createListingCache } from '../../src/server/files/listing-cache.ts'
import { createResponseTags } from '../../src/server/files/response-tags.ts'
import { fileRoutes } from '../../src/server/files/routes.ts'
import { smallFileBytes, type Storage } from '../../src/server/storage/port.ts'
import { createRateLimiter } from '../../src/server/concurrency/rate-limiter.ts'
import { createKeyedLimiter } from '../../src/server/concurrency/keyed-limiter.ts'
import { limits } from '../../src/shared/domain/limits.ts'
import { twoColours } from '../kit/images.ts'
import { startHttpServer } from '../kit/start-http-server.ts'
import { share } from '../kit/share.ts'
import { startApp, type TestApp } from '../kit/start-app.ts'
import type { LimitTestCase } from './limit.ts'

const mebibyte = 1024 * 1024
const soon = { timeout: 15_000, interval: 20 }

/** Opens a connection, sends a request, and reads nothing after the first bytes of the response. */
function sendWithoutReading(app: TestApp, text: string) {
  const { hostname, port } = new URL(app.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const received = { text: '' }
  socket
    .on('error', () => undefined)
    .once('data', (chunk: Buffer) => {
      received.text = chunk.toString('latin1')
      socket.pause()
    })
  socket.write(text)
  return { socket, status: () => Number(/^HTTP\/1\.1 (\d{3})/.exec(received.text)?.[1] ?? 0) }
}

const getWithoutReading = (app: TestApp, address: string) =>
  sendWithoutReading(app, `GET ${address} HTTP/1.1\r\nHost: h\r\nX-Auth: ${app.token}\r\n\r\n`)

/**
 * Requests `count` archives without reading the responses. Returns the statuses before any waiting request times out.
 * Status 0 means that there is no response yet.
 */
async function concurrentArchives(count: number, respondedCount: number): Promise<unknown> {
  const app = await startApp({ files: { big: { 'a.bin': '' } } })
  await truncate(path.join(app.disk, 'big/a.bin'), 64 * 1024 ** 3)
  const requests = Array.from({ length: count }, () => getWithoutReading(app, '/api/raw/big?algo=tar'))
  const statuses = () => requests.map(({ status }) => status())
  await expect.poll(() => statuses().filter((status) => status > 0).length, soon).toBe(respondedCount)
  requests.forEach(({ socket }) => socket.destroy())
  return statuses().toSorted((a, b) => a - b)
}

/**
 * Requests `count` archives of a share as guests from one address, and returns the statuses of these requests. Asserts
 * that a guest at another address still receives a response.
 */
async function concurrentGuestArchives(count: number, respondedCount: number): Promise<unknown> {
  const app = await startApp({ files: { big: { 'a.bin': '' } } })
  await truncate(path.join(app.disk, 'big/a.bin'), 64 * 1024 ** 3)
  const { hash } = await share(app, '/big')
  const requestFrom = (from: string) =>
    sendWithoutReading(
      app,
      `GET /api/public/dl/${hash}?algo=tar HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: ${from}\r\n\r\n`,
    )
  const requests = Array.from({ length: count }, () => requestFrom('192.0.2.7'))
  const statuses = () => requests.map(({ status }) => status())
  await expect.poll(() => statuses().filter((status) => status > 0).length, soon).toBe(respondedCount)
  const other = requestFrom('192.0.2.8')
  await expect.poll(other.status, soon).toBe(200)
  for (const { socket } of [...requests, other]) socket.destroy()
  return statuses().toSorted((a, b) => a - b)
}

/** Serves subtitle files from a disk that delays every read until the test allows it, and counts the reads. */
function createSlowStorage() {
  const reading = { texts: 0 }
  const gate = Promise.withResolvers<void>()
  const entry = { name: 'a.txt', kind: 'file', sizeBytes: 3, modifiedMs: 0, mode: 0o640, etag: 'e' } as const
  const storage: Storage = {
    ...absentStorage,
    stat: async () => entry,
    open: async () => ({
      entry,
      async *bytes() {
        reading.texts += 1
        await gate.promise
        yield Buffer.from('abc')
      },
      close: () => Promise.resolve(),
    }),
  }
  return { storage, reading, respond: () => gate.resolve() }
}

/**
 * Requests `count` subtitles. Returns how many subtitles the server converts concurrently, and how many requests
 * succeed in the end.
 */
async function concurrentSubtitles(count: number): Promise<unknown> {
  const { storage, reading, respond } = createSlowStorage()
  const routes = fileRoutes({
    sniffs: false,
    responseTags: createResponseTags(() => 'some'),
    listingCache: createListingCache({ versions: { versionOf: async () => null, count: () => 0 }, later }),
    treeLimiter: createKeyedLimiter({ maxConcurrent: 1 }),
    textLimiter: createKeyedLimiter({ maxConcurrent: limits.concurrentTexts }),
    checksumLimiter: createKeyedLimiter({ maxConcurrent: limits.concurrentChecksums }),
    pace: createRateLimiter(),
  })
  const server = await startHttpServer({ routes, storage })
  const requests = Array.from({ length: count }, () => server.fetch('/api/resources/a.txt'))
  await expect.poll(() => reading.texts, soon).toBe(4)
  // These requests take some time. If the server admitted too many conversions, the additional conversions would start
  // in this time.
  for (let n = 0; n < 10; n += 1) await server.fetch('/api/resources/b.txt?checksum=none')
  const concurrentReads = reading.texts
  respond()
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  return [concurrentReads, statuses.filter((status) => status === 200).length]
}

/**
 * Starts one more upload while `stalled` uploads make no progress, and returns whether it has to wait. A small file
 * must be saved immediately in both cases.
 */
async function uploadBeside(stalled: number, sizeBytes = smallFileBytes + 1): Promise<QueueOutcome> {
  const app = await startApp({ files: { 'note.txt': 'old' } })
  const head = `Host: h\r\nX-Auth: ${app.token}\r\nContent-Length: 2\r\n\r\na`
  const others = Array.from({ length: stalled }, (_, n) =>
    sendWithoutReading(app, `POST /api/resources/${n}.bin HTTP/1.1\r\n${head}`),
  )
  const staged = async () => (await readdir(app.disk)).filter((name) => name.startsWith('.')).length
  await expect.poll(staged, soon).toBe(stalled)
  let isDone = false
  const body = 'b'.repeat(sizeBytes)
  const next = app.call('resources.create', { path: '/next.bin', body }).then(() => (isDone = true))
  for (let n = 0; n < 10; n += 1) await app.call('resources.save', { path: '/note.txt', body: `${n}` })
  const outcome =
    stalled < limits.concurrentUploads ? await next.then(() => 'at once' as const) : waits(isDone)
  others[0]?.socket.write('b')
  await next
  others.forEach(({ socket }) => socket.destroy())
  return outcome
}

type QueueOutcome = 'at once' | 'waits' | 'does not wait'

const waits = (isDone: boolean): QueueOutcome => (isDone ? 'does not wait' : 'waits')

/** Creates a folder with a large listing: many hard links to one file. */
function createManyEntries(folder: string, count: number, nameLength: number): void {
  const first = path.join(folder, '0'.padStart(nameLength, 'n'))
  writeFileSync(first, '')
  for (let n = 1; n < count; n += 1) linkSync(first, path.join(folder, String(n).padStart(nameLength, 'n')))
}

/** The folders with names of 250 bytes, by the number of their entries. Making one takes half a second, so tests take turns with it. */
const largeFolders = new Map<number, string>()

/** Moves a folder with `count` names of 250 bytes into the served folder as `many`, until the end of the test. */
function lendLargeFolder({ disk }: TestApp, count: number): void {
  const folder = largeFolders.get(count) ?? mkdtempSync(path.join(tmpdir(), 'stowage-large-'))
  if (!largeFolders.has(count)) createManyEntries(folder, count, 250)
  largeFolders.set(count, folder)
  const served = path.join(disk, 'many')
  renameSync(folder, served)
  onTestFinished(() => renameSync(served, folder))
}

/** Removes the folders that tests have taken turns with. */
export function removeLargeFolders(): void {
  for (const folder of largeFolders.values()) rmSync(folder, { recursive: true })
  largeFolders.clear()
}

/**
 * Starts one more search while a client does not read the responses of `unread` searches, and returns whether it has to
 * wait. Searches of other users must not wait.
 */
async function searchBeside(unread: number): Promise<QueueOutcome> {
  const app = await startApp({ files: { few: { 'n.txt': '' } }, users: { ben: {} } })
  lendLargeFolder(app, 30_000)
  const others = Array.from({ length: unread }, () => getWithoutReading(app, '/api/search/many?query=n'))
  await expect.poll(() => others.every(({ status }) => status() === 200), soon).toBe(true)
  const few = { path: '/few', query: { query: 'n' } }
  let isDone = false
  const next = app.call('search.get', few).then(async (response) => (isDone = (await response.text()) !== ''))
  const ben = await app.signIn('ben')
  for (let n = 0; n < 5; n += 1) await (await ben.call('search.get', few)).text()
  const outcome =
    unread < limits.concurrentSearches ? await next.then(() => 'at once' as const) : waits(isDone)
  others[0]?.socket.destroy()
  await next
  others.forEach(({ socket }) => socket.destroy())
  return outcome
}

/**
 * Requests one more listing of a tree while a client does not read the responses of `unread` listings, and returns whether it
 * has to wait. Listings of other users must not wait.
 */
async function listTreeBeside(unread: number): Promise<QueueOutcome> {
  const app = await startApp({ files: { few: { 'n.txt': '' } }, users: { ben: {} } })
  lendLargeFolder(app, 30_000)
  const others = Array.from({ length: unread }, () => getWithoutReading(app, '/api/resources/recursive/many'))
  await expect.poll(() => others.every(({ status }) => status() === 200), soon).toBe(true)
  let isDone = false
  const next = app
    .call('du.get', { path: '/few' })
    .then(async (response) => (isDone = (await response.text()) !== ''))
  const ben = await app.signIn('ben')
  for (let n = 0; n < 5; n += 1) await (await ben.call('resources.recursive', { path: '/few' })).text()
  const outcome =
    unread < limits.concurrentTreeReads ? await next.then(() => 'at once' as const) : waits(isDone)
  others[0]?.socket.destroy()
  await next
  others.forEach(({ socket }) => socket.destroy())
  return outcome
}

/**
 * Requests a listing as JSON and one as rows while a client does not read `unread` listings of a folder that takes 17 MiB each, and
 * returns whether they have to wait. Listings of other users must not wait.
 */
async function listBesideLargeFolders(unread: number): Promise<readonly QueueOutcome[]> {
  const app = await startApp({ files: {}, users: { ben: {} } })
  lendLargeFolder(app, 20_000)
  const others = Array.from({ length: unread }, () => getWithoutReading(app, '/api/resources/many/'))
  await expect.poll(() => others.every(({ status }) => status() === 200), soon).toBe(true)
  const done = new Set<string>()
  const next = ['application/json', 'application/x-ndjson'].map(async (accept) => {
    const response = await app.call('resources.get', { path: '/many/', headers: { accept } })
    if ((await response.text()) !== '') done.add(accept)
  })
  const ben = await app.signIn('ben')
  await (await ben.call('resources.get', { path: '/many/' })).text()
  if (unread < largeFoldersOfUser) await Promise.all(next)
  const outcomes = next.map((_, index): QueueOutcome => (done.size > index ? 'does not wait' : 'waits'))
  others.forEach(({ socket }) => socket.destroy())
  await Promise.all(next)
  return outcomes
}

/** The number of folders of 17 MiB that one user may have in memory (`readingBytesPerPerson`). */
const largeFoldersOfUser = 3

async function listFolder(count: number): Promise<unknown> {
  const app = await startApp({ files: { many: {} } })
  createManyEntries(path.join(app.disk, 'many'), count, 5)
  const response = await app.call('resources.get', { path: '/many' })
  const { items } = (await response.json()) as { items: unknown[] }
  return [response.status, response.headers.has('content-length'), items.length]
}

/**
 * Begins an upload of a file that would leave the given disk space free, with a tolerance of 1 GiB. Returns the status
 * of the response.
 */
async function beginUploadLeaving(freeBytes: number): Promise<number> {
  const app = await startApp()
  const { bavail, bsize } = statfsSync(app.disk)
  const headers = { 'upload-length': String(Math.max(1, Math.floor(bavail * bsize - freeBytes))) }
  return (await app.call('tus.begin', { path: '/a', headers })).status
}

async function uploadOf(sizeBytes: number): Promise<number> {
  const app = await startApp({ config: { maxUploadSize: 1000 } })
  return (await app.call('resources.create', { path: '/a', body: 'x'.repeat(sizeBytes) })).status
}

async function previewOf(width: number, height: number): Promise<unknown> {
  const app = await startApp({ config: { maxImagePixels: 5000 } })
  writeFileSync(path.join(app.disk, 'a.png'), await twoColours(width, height).png().toBuffer())
  const response = await app.call('preview.get', { path: '/a.png', size: 'thumb' })
  await response.arrayBuffer()
  return response.status
}

/**
 * The expected statuses when one user sends ten concurrent archive requests, and when the user sends eleven. Status 0
 * denotes a request that is still waiting.
 */
const twoPackedEightWait = [
  [0, 0, 0, 0, 0, 0, 0, 0, 200, 200],
  [0, 0, 0, 0, 0, 0, 0, 0, 200, 200, 429],
] as const

export const workLimitTests: readonly LimitTestCase[] = [
  {
    limit:
      'a user may have two archives in progress and eight waiting, and the next request is refused with 429',
    limitNames: ['concurrentArchives', 'archivesWaiting'],
    below: () => concurrentArchives(10, 2),
    beyond: () => concurrentArchives(11, 3),
    expected: twoPackedEightWait,
  },
  {
    limit:
      'guests at one address may have two archives in progress and eight waiting, and other addresses are not affected',
    below: () => concurrentGuestArchives(10, 2),
    beyond: () => concurrentGuestArchives(11, 3),
    expected: twoPackedEightWait,
  },
  {
    limit: 'four subtitles are converted concurrently, and further requests wait',
    limitNames: ['concurrentTexts'],
    below: () => concurrentSubtitles(4),
    beyond: () => concurrentSubtitles(5),
    expected: [
      [4, 4],
      [4, 5],
    ],
  },
  {
    limit:
      'a user may have five uploads in progress and further uploads wait, but saves and small new files do not',
    limitNames: ['concurrentUploads'],
    below: async () => [await uploadBeside(4), await uploadBeside(5, 2)],
    beyond: () => uploadBeside(5),
    expected: [['at once', 'does not wait'], 'waits'],
  },
  {
    limit:
      'a user may have two searches in progress and further searches wait, but those of other users do not',
    limitNames: ['concurrentSearches'],
    below: () => searchBeside(1),
    beyond: () => searchBeside(2),
    expected: ['at once', 'waits'],
  },
  {
    limit:
      'a user may have two trees listed or measured at the same time and further ones wait, but those of other users do not',
    limitNames: ['concurrentTreeReads'],
    below: () => listTreeBeside(1),
    beyond: () => listTreeBeside(2),
    expected: ['at once', 'waits'],
  },
  {
    limit:
      'large folders that a client does not read let further ones of the user wait, but not those of other users',
    limitNames: ['readingBytesPerPerson'],
    below: () => listBesideLargeFolders(2),
    beyond: () => listBesideLargeFolders(3),
    expected: [
      ['does not wait', 'does not wait'],
      ['waits', 'waits'],
    ],
  },
  {
    limit: 'a listing of more than 256 entries is streamed',
    below: () => listFolder(256),
    beyond: () => listFolder(257),
    expected: [
      [200, true, 256],
      [200, false, 257],
    ],
  },
  {
    limit: 'an upload must leave 64 MiB of disk space free',
    below: () => beginUploadLeaving(64 * mebibyte + 1024 * mebibyte),
    beyond: () => beginUploadLeaving(64 * mebibyte - 1024 * mebibyte),
    expected: [201, 507],
  },
  {
    limit: 'an upload may have the configured maximum size',
    below: () => uploadOf(1000),
    beyond: () => uploadOf(1001),
    expected: [200, 413],
  },
  {
    limit: 'an image has at most 100 megapixels by default (here: a lower limit is configured)',
    limitNames: ['imagePixels'],
    below: async () => [limits.imagePixels, await previewOf(100, 50)],
    beyond: () => previewOf(100, 51),
    expected: [[100_000_000, 200], 413],
  },
]
