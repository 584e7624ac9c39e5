import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { memoryHungryJpeg, twoColours } from '../../../test/kit/images.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { createConverterPool, type ConverterPoolOptions } from './converter-pool.ts'
import { frameStart } from './frames.ts'

const converterEntry = new URL('converter-process.ts', import.meta.url)
const neverAborted = new AbortController().signal
const thumb = { size: 'thumb', format: 'webp' } as const

const sourceOf = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  async *bytes() {
    yield bytes
  },
})

function createPool(options: Partial<ConverterPoolOptions> = {}) {
  const faults: unknown[] = []
  const pool = createConverterPool({
    entry: converterEntry,
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
 * Returns the source code of a program that replies with its process ID, some of its environment variables, and the
 * number of images that it has received.
 */
const countingProgram = (kind: string, memoryBytes = 0) => `
let images = 0
process.stdin.on('data', (bytes) => {
  if (!String(bytes).includes('thumb')) return
  images += 1
  const head = Buffer.from(JSON.stringify({ kind: '${kind}', memoryBytes: ${memoryBytes} }))
  const body = Buffer.from(images + ' ' + process.pid + ' ' + (process.env.HOME ?? process.env.FB_PASSWORD ?? 'nothing'))
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
