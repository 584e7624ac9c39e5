import { linkSync, statfsSync, writeFileSync } from 'node:fs'
import { readdir, truncate } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { expect } from 'vitest'
import { absentStorage } from '../../src/server/access/absent-storage.ts'
import { createResponseTags } from '../../src/server/files/response-tags.ts'
import { fileRoutes } from '../../src/server/files/routes.ts'
import { smallFileBytes, type Storage } from '../../src/server/storage/port.ts'
import { createRateLimiter } from '../../src/server/concurrency/rate-limiter.ts'
import { createKeyedLimiter } from '../../src/server/concurrency/keyed-limiter.ts'
import { limits } from '../../src/shared/domain/limits.ts'
import { twoColours } from '../kit/images.ts'
import { startHttpServer } from '../kit/start-http-server.ts'
import { share } from '../kit/share.ts'
import { startApp, type App } from '../kit/start-app.ts'
import type { LimitTestCase } from './limit.ts'

const mebibyte = 1024 * 1024
const soon = { timeout: 15_000, interval: 20 }

/** Opens a connection, sends a request, and reads nothing after the first bytes of the response. */
function asking(app: App, text: string) {
  const { hostname, port } = new URL(app.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const heard = { text: '' }
  socket
    .on('error', () => undefined)
    .once('data', (chunk: Buffer) => {
      heard.text = chunk.toString('latin1')
      socket.pause()
    })
  socket.write(text)
  return { socket, status: () => Number(/^HTTP\/1\.1 (\d{3})/.exec(heard.text)?.[1] ?? 0) }
}

const getting = (app: App, address: string) =>
  asking(app, `GET ${address} HTTP/1.1\r\nHost: h\r\nX-Auth: ${app.token}\r\n\r\n`)

/**
 * Requests `count` archives without reading the responses. Returns the statuses before any waiting request times out.
 * Status 0 means that there is no response yet.
 */
async function archivesAtOnce(count: number, settled: number): Promise<unknown> {
  const app = await startApp({ files: { big: { 'a.bin': '' } } })
  await truncate(path.join(app.disk, 'big/a.bin'), 64 * 1024 ** 3)
  const asked = Array.from({ length: count }, () => getting(app, '/api/raw/big?algo=tar'))
  const statuses = () => asked.map(({ status }) => status())
  await expect.poll(() => statuses().filter((status) => status > 0).length, soon).toBe(settled)
  asked.forEach(({ socket }) => socket.destroy())
  return statuses().toSorted((a, b) => a - b)
}

/**
 * Requests `count` archives of a share as guests from one address. Asserts that a guest at another address is served,
 * and returns the statuses of the first address.
 */
async function guestsAtOnce(count: number, settled: number): Promise<unknown> {
  const app = await startApp({ files: { big: { 'a.bin': '' } } })
  await truncate(path.join(app.disk, 'big/a.bin'), 64 * 1024 ** 3)
  const { hash } = await share(app, '/big')
  const visiting = (from: string) =>
    asking(app, `GET /api/public/dl/${hash}?algo=tar HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: ${from}\r\n\r\n`)
  const asked = Array.from({ length: count }, () => visiting('192.0.2.7'))
  const statuses = () => asked.map(({ status }) => status())
  await expect.poll(() => statuses().filter((status) => status > 0).length, soon).toBe(settled)
  const other = visiting('192.0.2.8')
  await expect.poll(other.status, soon).toBe(200)
  for (const { socket } of [...asked, other]) socket.destroy()
  return statuses().toSorted((a, b) => a - b)
}

/** Serves subtitle files from a disk that delays every read until the test allows it, and counts the reads. */
function slowTexts() {
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

/** Requests `count` subtitles. Returns how many are converted concurrently and how many are finally answered. */
async function textsAtOnce(count: number): Promise<unknown> {
  const { storage, reading, respond } = slowTexts()
  const routes = fileRoutes({
    sniffs: false,
    responseTags: createResponseTags(() => 'some'),
    textLimiter: createKeyedLimiter({ maxConcurrent: limits.textsAtOnce }),
    checksumLimiter: createKeyedLimiter({ maxConcurrent: limits.checksumsAtOnce }),
    pace: createRateLimiter(),
  })
  const door = await startHttpServer({ routes, storage })
  const asked = Array.from({ length: count }, () => door.fetch('/api/resources/a.txt'))
  await expect.poll(() => reading.texts, soon).toBe(4)
  // These requests give any further request that does not have to wait enough time to start.
  for (let n = 0; n < 10; n += 1) await door.fetch('/api/resources/b.txt?checksum=none')
  const together = reading.texts
  respond()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  return [together, statuses.filter((status) => status === 200).length]
}

/**
 * Returns whether one more upload waits while `stalled` uploads make no progress. Small saves must succeed in both
 * cases.
 */
async function uploadBeside(stalled: number, sizeBytes = smallFileBytes + 1): Promise<QueueOutcome> {
  const app = await startApp({ files: { 'note.txt': 'old' } })
  const head = `Host: h\r\nX-Auth: ${app.token}\r\nContent-Length: 2\r\n\r\na`
  const others = Array.from({ length: stalled }, (_, n) =>
    asking(app, `POST /api/resources/${n}.bin HTTP/1.1\r\n${head}`),
  )
  const staged = async () => (await readdir(app.disk)).filter((name) => name.startsWith('.')).length
  await expect.poll(staged, soon).toBe(stalled)
  let isDone = false
  const body = 'b'.repeat(sizeBytes)
  const next = app.call('resources.create', { path: '/next.bin', body }).then(() => (isDone = true))
  for (let n = 0; n < 10; n += 1) await app.call('resources.save', { path: '/note.txt', body: `${n}` })
  const verdict = stalled < limits.uploadsAtOnce ? await next.then(() => 'at once' as const) : waits(isDone)
  others[0]?.socket.write('b')
  await next
  others.forEach(({ socket }) => socket.destroy())
  return verdict
}

type QueueOutcome = 'at once' | 'waits' | 'does not wait'

const waits = (isDone: boolean): QueueOutcome => (isDone ? 'does not wait' : 'waits')

/** Creates a folder with a large listing: many hard links to one file. */
function manyNames(folder: string, count: number, nameLength: number): void {
  const first = path.join(folder, '0'.padStart(nameLength, 'n'))
  writeFileSync(first, '')
  for (let n = 1; n < count; n += 1) linkSync(first, path.join(folder, String(n).padStart(nameLength, 'n')))
}

/**
 * Returns whether one more search waits while the responses of `unread` searches are not read. Searches of other users
 * must not wait.
 */
async function searchBeside(unread: number): Promise<QueueOutcome> {
  const app = await startApp({ files: { many: {}, few: { 'n.txt': '' } }, people: { ben: {} } })
  manyNames(path.join(app.disk, 'many'), 30_000, 250)
  const others = Array.from({ length: unread }, () => getting(app, '/api/search/many?query=n'))
  await expect.poll(() => others.every(({ status }) => status() === 200), soon).toBe(true)
  const few = { path: '/few', query: { query: 'n' } }
  let isDone = false
  const next = app.call('search.get', few).then(async (reply) => (isDone = (await reply.text()) !== ''))
  const ben = await app.signIn('ben')
  for (let n = 0; n < 5; n += 1) await (await ben.call('search.get', few)).text()
  const verdict = unread < limits.searchesAtOnce ? await next.then(() => 'at once' as const) : waits(isDone)
  others[0]?.socket.destroy()
  await next
  others.forEach(({ socket }) => socket.destroy())
  return verdict
}

async function listing(count: number): Promise<unknown> {
  const app = await startApp({ files: { many: {} } })
  manyNames(path.join(app.disk, 'many'), count, 5)
  const reply = await app.call('resources.get', { path: '/many' })
  const { items } = (await reply.json()) as { items: unknown[] }
  return [reply.status, reply.headers.has('content-length'), items.length]
}

/**
 * Returns the status of the request that begins an upload whose file would leave the given disk space free, with a
 * tolerance of a GiB.
 */
async function leavingFree(freeBytes: number): Promise<number> {
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
  const reply = await app.call('preview.get', { path: '/a.png', word: 'thumb' })
  await reply.arrayBuffer()
  return reply.status
}

/** The statuses of ten and of eleven archive requests. Status 0 denotes a request that is waiting. */
const twoPackedEightWait = [
  [0, 0, 0, 0, 0, 0, 0, 0, 200, 200],
  [0, 0, 0, 0, 0, 0, 0, 0, 200, 200, 429],
] as const

export const ofWork: readonly LimitTestCase[] = [
  {
    limit: 'of one person’s archives two are packed and eight wait; the next is 429 at once',
    constants: ['archivesAtOnce', 'archivesWaiting'],
    below: () => archivesAtOnce(10, 2),
    beyond: () => archivesAtOnce(11, 3),
    says: twoPackedEightWait,
  },
  {
    limit: 'of the guests at an address two archives are packed and eight wait; other addresses do not',
    below: () => guestsAtOnce(10, 2),
    beyond: () => guestsAtOnce(11, 3),
    says: twoPackedEightWait,
  },
  {
    limit: 'four texts are made ready at a time, and the others wait',
    constants: ['textsAtOnce'],
    below: () => textsAtOnce(4),
    beyond: () => textsAtOnce(5),
    says: [
      [4, 4],
      [4, 5],
    ],
  },
  {
    limit:
      'of one person’s uploads five are taken and the others wait; neither an editor nor a small new file does',
    constants: ['uploadsAtOnce'],
    below: async () => [await uploadBeside(4), await uploadBeside(5, 2)],
    beyond: () => uploadBeside(5),
    says: [['at once', 'does not wait'], 'waits'],
  },
  {
    limit: 'of one person’s searches two run and the others wait; other people do not',
    constants: ['searchesAtOnce'],
    below: () => searchBeside(1),
    beyond: () => searchBeside(2),
    says: ['at once', 'waits'],
  },
  {
    limit: 'a listing of more than 20,000 is streamed, and so is one of more than 256',
    below: () => listing(256),
    beyond: () => listing(257),
    says: [
      [200, true, 256],
      [200, false, 257],
    ],
  },
  {
    limit: 'an upload leaves 64 MiB free',
    below: () => leavingFree(64 * mebibyte + 1024 * mebibyte),
    beyond: () => leavingFree(64 * mebibyte - 1024 * mebibyte),
    says: [201, 507],
  },
  {
    limit: 'an upload is as large as is set',
    below: () => uploadOf(1000),
    beyond: () => uploadOf(1001),
    says: [200, 413],
  },
  {
    limit: 'an image has 100 megapixels unless set otherwise (here: it is)',
    constants: ['imagePixels'],
    below: async () => [limits.imagePixels, await previewOf(100, 50)],
    beyond: () => previewOf(100, 51),
    says: [[100_000_000, 200], 413],
  },
]
