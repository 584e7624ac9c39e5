import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { memoryHungryJpeg, twoColours } from '../../../test/kit/images.ts'
import { startProcess } from '../../../test/kit/start-process.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { findBubblewrap } from '../programs/find-bubblewrap.ts'
import { createConverterCommand } from './converter-command.ts'
import { createConverterPool, type ConverterPoolOptions } from './converter-pool.ts'
import { frameStart } from './frames.ts'

const converterEntry = new URL('converter-process.ts', import.meta.url)
const sandbox = await findBubblewrap(startProcess, {})
const neverAborted = new AbortController().signal
const thumb = { size: 'thumb', format: 'webp' } as const

const sourceOf = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  async *bytes() {
    yield bytes
  },
})

type PoolOptions = Partial<ConverterPoolOptions> & { readonly entry?: URL; readonly isSandboxed?: boolean }

function createPool({ entry = converterEntry, isSandboxed = true, ...options }: PoolOptions = {}) {
  const faults: unknown[] = []
  const pool = createConverterPool({
    start: startProcess,
    findCommand: createConverterCommand({
      start: startProcess,
      entry,
      findSandbox: async () => (isSandboxed ? sandbox : { isUsable: false, reason: 'a test' }),
      isMemorySmall: false,
      nowMs: Date.now,
      onUnsandboxed: () => {},
    }),
    processes: 1,
    timeMs: 20_000,
    processBytes: 256 * 1024 * 1024,
    maxPixels: 100_000_000,
    onFault: (error) => faults.push(error),
    ...options,
  })
  onTestFinished(() => pool.close())
  return { ...pool, faults }
}

/** Writes a program that replaces the converter process in a test, and returns its URL. */
function writeProgram(text: string): URL {
  const file = path.join(temporaryFolder(), 'program.mjs')
  writeFileSync(file, text)
  return pathToFileURL(file)
}

/**
 * Returns the source code of a program that replies with an id of its own, some of its environment variables, and the
 * number of images that it has received.
 */
const countingProgram = (kind: string, memoryBytes = 0) => `
let images = 0
const id = Math.random()
process.stdin.on('data', (bytes) => {
  if (!String(bytes).includes('thumb')) return
  images += 1
  const head = Buffer.from(JSON.stringify({ kind: '${kind}', memoryBytes: ${memoryBytes} }))
  const body = Buffer.from(images + ' ' + id + ' ' + (process.env.HOME ?? process.env.FB_PASSWORD ?? 'nothing'))
  const prefix = Buffer.alloc(8)
  prefix.writeUInt32BE(head.length, 0)
  prefix.writeUInt32BE(body.length, 4)
  process.stdout.write(Buffer.concat([prefix, head, body]))
})`
const replyOf = async (pool: ReturnType<typeof createPool>) =>
  String((await pool.convert(thumb, sourceOf(Buffer.from('x')), neverAborted)).bytes).split(' ')

test('an image that arrives in many chunks is converted', async () => {
  const bytes = await twoColours(3000, 2000).png({ compressionLevel: 0 }).toBuffer()
  const chunkedSource = {
    sizeBytes: bytes.length,
    async *bytes() {
      const buffer = Buffer.alloc(100_000)
      for (let at = 0; at < bytes.length; at += buffer.length)
        yield buffer.subarray(0, bytes.copy(buffer, 0, at))
    },
  }
  expect((await createPool().convert(thumb, chunkedSource, neverAborted)).kind).toBe('made')
})

test('an image that crashes the process is undecodable and reported, and the next image gets another process', async () => {
  const pool = createPool({ entry: writeProgram(`process.stdin.once('data', () => process.abort())`) })
  for (const _ of [1, 2]) {
    await expect(pool.convert(thumb, sourceOf(Buffer.from('x')), neverAborted)).rejects.toMatchObject({
      code: 'undecodable',
    })
  }
  expect(pool.faults).toHaveLength(2)
})

test('a process that cannot be started fails only its own call', async () => {
  const pool = createPool({ entry: new URL('file:///there/is/none.mjs') })
  await expect(pool.convert(thumb, sourceOf(Buffer.alloc(1_000_000)), neverAborted)).rejects.toMatchObject({
    code: 'undecodable',
  })
})

test('security 3.8: a conversion that takes too long is ended', async () => {
  const pool = createPool({ entry: writeProgram('process.stdin.resume()'), timeMs: 300 })
  await expect(pool.convert(thumb, sourceOf(Buffer.from('x')), neverAborted)).rejects.toMatchObject({
    code: 'timeout',
  })
})

test('security 3.8: an image that needs too much memory is refused, and the next image is converted', async () => {
  const pool = createPool({ processBytes: 110 * 1024 * 1024 })
  const large = await pool.convert(thumb, sourceOf(await memoryHungryJpeg(7000, 7000)), neverAborted)
  expect(large.kind).toBe('too-large')
  const small = await pool.convert(thumb, sourceOf(await twoColours(50, 50).png().toBuffer()), neverAborted)
  expect(small.kind).toBe('made')
})

test('a conversion that is aborted while it waits for a process rejects immediately', async () => {
  const pool = createPool({ entry: writeProgram('process.stdin.resume()'), timeMs: 2000 })
  const first = pool.convert(thumb, sourceOf(Buffer.from('x')), neverAborted)
  const disconnect = new AbortController()
  const second = pool.convert(thumb, sourceOf(Buffer.from('x')), disconnect.signal)
  disconnect.abort()
  await expect(second).rejects.toMatchObject({ code: 'aborted' })
  await expect(first).rejects.toMatchObject({ code: 'timeout' })
})

test('security 3.8: an aborted conversion ends within 5 seconds', async () => {
  const pool = createPool({ entry: writeProgram('process.stdin.resume()') })
  const disconnect = new AbortController()
  const work = pool.convert(thumb, sourceOf(Buffer.from('x')), disconnect.signal)
  disconnect.abort()
  const startMs = performance.now()
  await expect(work).rejects.toMatchObject({ code: 'aborted' })
  expect(performance.now() - startMs).toBeLessThan(5000)
})

test('a source that fails rejects the conversion, and the process is not used again', async () => {
  const pool = createPool({ entry: writeProgram(countingProgram('made')) })
  const [, first] = await replyOf(pool)
  const broken = {
    sizeBytes: 10,
    bytes: () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('the disk is gone')) }),
    }),
  }
  await expect(pool.convert({ ...thumb, size: 'big' }, broken, neverAborted)).rejects.toMatchObject({
    code: 'undecodable',
  })
  const [images, second] = await replyOf(pool)
  expect([images, second === first]).toEqual(['1', false])
})

test('a process converts one image after the other, without the server’s environment', async () => {
  const pool = createPool({ entry: writeProgram(countingProgram('made')) })
  const [, first] = await replyOf(pool)
  expect(await replyOf(pool)).toEqual(['2', first, 'nothing'])
})

test('a process that has grown too large is replaced', async () => {
  const pool = createPool({ entry: writeProgram(countingProgram('made', 250_000_000)) })
  const [, first] = await replyOf(pool)
  const [images, second] = await replyOf(pool)
  expect([images, second === first]).toEqual(['1', false])
})

test('closing rejects running and waiting conversions with unavailable', async () => {
  const pool = createPool({ entry: writeProgram('process.stdin.resume()') })
  const both = [1, 2].map(() => pool.convert(thumb, sourceOf(Buffer.from('x')), neverAborted))
  const codes = Promise.all(both.map((one) => one.catch((error: { code: string }) => error.code)))
  pool.close()
  expect(await codes).toEqual(['unavailable', 'unavailable'])
})

test('a frame with an impossible length is refused', async () => {
  const start = frameStart({}, 5)
  start.writeUInt32BE(0xffffffff, 4)
  const pool = createPool({
    entry: writeProgram(
      `process.stdout.write(Buffer.from('${start.toString('hex')}', 'hex')); process.stdin.resume()`,
    ),
  })
  await expect(pool.convert(thumb, sourceOf(Buffer.from('x')), neverAborted)).rejects.toMatchObject({
    code: 'undecodable',
  })
})

/** Returns the source code of a program that replies with a list of what it reaches outside of its sandbox. */
const curiousProgram = (secret: string, port: number) => `
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
const reached = []
const attempt = (name, work) => { try { work(); reached.push(name) } catch {} }
process.stdin.once('data', () => {
  attempt('file', () => readFileSync('${secret}'))
  attempt('writing', () => writeFileSync(import.meta.filename + '.copy', ''))
  attempt('server', () => readFileSync('/proc/${process.pid}/environ'))
  const socket = connect(${port}, '127.0.0.1')
  const reply = (words) => {
    const head = Buffer.from(JSON.stringify({ kind: 'made', memoryBytes: 0 }))
    const body = Buffer.from(words.join(' '))
    const prefix = Buffer.alloc(8)
    prefix.writeUInt32BE(head.length, 0)
    prefix.writeUInt32BE(body.length, 4)
    process.stdout.write(Buffer.concat([prefix, head, body]))
  }
  socket.on('connect', () => reply([...reached, 'network'])).on('error', () => reply(reached))
})`

test.skipIf(!sandbox.isUsable)(
  'a process sees no file of a user or of the server, no network and no other process, and can write nothing',
  async () => {
    const secret = path.join(temporaryFolder(), 'stowage.db')
    writeFileSync(secret, 'secret')
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const entry = writeProgram(curiousProgram(secret, (server.address() as AddressInfo).port))
    const reachedBy = async (isSandboxed: boolean) =>
      (await replyOf(createPool({ entry, isSandboxed }))).join(' ')
    expect([await reachedBy(true), await reachedBy(false)]).toEqual(['', 'file writing server network'])
    // The real process converts images there, and ends with its pool.
    const pool = createPool()
    const image = await twoColours(50, 50).png().toBuffer()
    expect((await pool.convert(thumb, sourceOf(image), neverAborted)).kind).toBe('made')
    const converters = await convertersBelow(process.pid)
    expect(converters.length).toBeGreaterThan(0)
    pool.close()
    // The files that are tested at the same time have converters of their own.
    await expect
      .poll(async () => (await converterNumbers()).filter((number) => converters.includes(number)))
      .toEqual([])
  },
)

/** Returns the ids of all processes that convert images. */
async function converterNumbers(): Promise<readonly number[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const entry = `${import.meta.dirname}/converter-process.ts`
  const isConverter = await Promise.all(
    numbers.map(async (number) =>
      (await readFile(`/proc/${number}/cmdline`, 'latin1').catch(() => '')).includes(entry),
    ),
  )
  return numbers.filter((_, index) => isConverter[index]).map(Number)
}

/** Returns the ids of the converters that a process has started, also by other programs. */
async function convertersBelow(ancestor: number): Promise<readonly number[]> {
  const found: number[] = []
  for (const number of await converterNumbers()) {
    let above = number
    while (above > 1 && above !== ancestor) {
      const stat = await readFile(`/proc/${above}/stat`, 'latin1').catch(() => '')
      above = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
    }
    if (above === ancestor) found.push(number)
  }
  return found
}

test('an image whose process is killed by the kernel has a second attempt, and is too large after it', async () => {
  const attempts = path.join(temporaryFolder(), 'attempts')
  const entry = writeProgram(`
import { appendFileSync } from 'node:fs'
process.stdin.on('data', () => {
  appendFileSync(${JSON.stringify(attempts)}, 'x')
  process.kill(process.pid, 'SIGKILL')
})`)
  const pool = createPool({ entry, isSandboxed: false })
  await expect(pool.convert(thumb, sourceOf(Buffer.from('x')), neverAborted)).rejects.toMatchObject({
    code: 'too-large',
  })
  expect(await readFile(attempts, 'utf8')).toBe('xx')
})
