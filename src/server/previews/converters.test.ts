import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { demandingJpeg, twoColours } from '../../../test/kit/images.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { createConverters, type ConvertersOptions } from './converters.ts'
import { frameStart } from './frames.ts'

const real = new URL('converting-process.ts', import.meta.url)
const never = new AbortController().signal
const thumb = { size: 'thumb', format: 'webp' } as const

const sourceOf = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  async *bytes() {
    yield bytes
  },
})

function converters(more: Partial<ConvertersOptions> = {}) {
  const faults: unknown[] = []
  const made = createConverters({
    entry: real,
    processes: 1,
    timeMs: 20_000,
    processBytes: 256 * 1024 * 1024,
    mostPixels: 100_000_000,
    onFault: (error) => faults.push(error),
    ...more,
  })
  onTestFinished(() => made.close())
  return { ...made, faults }
}

/** A process that does something else than converting. */
function program(text: string): URL {
  const file = path.join(temporaryFolder(), 'program.mjs')
  writeFileSync(file, text)
  return pathToFileURL(file)
}

/** Says how many images it was given, and what it was told of its surroundings. */
const counting = (kind: string, heldBytes = 0) => `
let images = 0
process.stdin.on('data', (bytes) => {
  if (!String(bytes).includes('thumb')) return
  images += 1
  const head = Buffer.from(JSON.stringify({ kind: '${kind}', heldBytes: ${heldBytes} }))
  const body = Buffer.from(images + ' ' + process.pid + ' ' + (process.env.HOME ?? process.env.FB_PASSWORD ?? 'nothing'))
  const prefix = Buffer.alloc(8)
  prefix.writeUInt32BE(head.length, 0)
  prefix.writeUInt32BE(body.length, 4)
  process.stdout.write(Buffer.concat([prefix, head, body]))
})`
const said = async (it: ReturnType<typeof converters>) =>
  String((await it.convert(thumb, sourceOf(Buffer.from('x')), never)).bytes).split(' ')

test('an image in many pieces is converted', async () => {
  const bytes = await twoColours(3000, 2000).png({ compressionLevel: 0 }).toBuffer()
  const pieces = {
    sizeBytes: bytes.length,
    async *bytes() {
      const buffer = Buffer.alloc(100_000)
      for (let at = 0; at < bytes.length; at += buffer.length)
        yield buffer.subarray(0, bytes.copy(buffer, 0, at))
    },
  }
  expect((await converters().convert(thumb, pieces, never)).kind).toBe('made')
})

test('what kills the process is undecodable, is told, and the next image gets another process', async () => {
  const it = converters({ entry: program(`process.stdin.once('data', () => process.abort())`) })
  for (const _ of [1, 2]) {
    await expect(it.convert(thumb, sourceOf(Buffer.from('x')), never)).rejects.toMatchObject({
      code: 'undecodable',
    })
  }
  expect(it.faults).toHaveLength(2)
})

test('a process that cannot be started is a failure of that one call', async () => {
  const it = converters({ entry: new URL('file:///there/is/none.mjs') })
  await expect(it.convert(thumb, sourceOf(Buffer.alloc(1_000_000)), never)).rejects.toMatchObject({
    code: 'undecodable',
  })
})

test('security 3.8: what takes too long is ended', async () => {
  const it = converters({ entry: program('process.stdin.resume()'), timeMs: 300 })
  await expect(it.convert(thumb, sourceOf(Buffer.from('x')), never)).rejects.toMatchObject({
    code: 'timeout',
  })
})

test('security 3.8: what needs too much memory is refused, and the next image is fine', async () => {
  const it = converters({ processBytes: 110 * 1024 * 1024 })
  const large = await it.convert(thumb, sourceOf(await demandingJpeg(7000, 7000)), never)
  expect(large.kind).toBe('too-large')
  const small = await it.convert(thumb, sourceOf(await twoColours(50, 50).png().toBuffer()), never)
  expect(small.kind).toBe('made')
})

test('who has left while waiting is not waited for', async () => {
  const it = converters({ entry: program('process.stdin.resume()'), timeMs: 2000 })
  const first = it.convert(thumb, sourceOf(Buffer.from('x')), never)
  const leaving = new AbortController()
  const second = it.convert(thumb, sourceOf(Buffer.from('x')), leaving.signal)
  leaving.abort()
  await expect(second).rejects.toMatchObject({ code: 'aborted' })
  await expect(first).rejects.toMatchObject({ code: 'timeout' })
})

test('security 3.8: work that nobody waits for ends within 5 seconds', async () => {
  const it = converters({ entry: program('process.stdin.resume()') })
  const leaving = new AbortController()
  const work = it.convert(thumb, sourceOf(Buffer.from('x')), leaving.signal)
  leaving.abort()
  const startMs = performance.now()
  await expect(work).rejects.toMatchObject({ code: 'aborted' })
  expect(performance.now() - startMs).toBeLessThan(5000)
})

test('a source that fails is told as it failed, and the process is not used again', async () => {
  const it = converters({ entry: program(counting('made')) })
  const [, first] = await said(it)
  const broken = {
    sizeBytes: 10,
    bytes: () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('the disk is gone')) }),
    }),
  }
  await expect(it.convert({ ...thumb, size: 'big' }, broken, never)).rejects.toMatchObject({
    code: 'undecodable',
  })
  const [images, second] = await said(it)
  expect([images, second === first]).toEqual(['1', false])
})

test('a process serves one image after the other, and knows nothing of the server’s surroundings', async () => {
  const it = converters({ entry: program(counting('made')) })
  const [, first] = await said(it)
  expect(await said(it)).toEqual(['2', first, 'nothing'])
})

test('a process that has grown gives way to a fresh one', async () => {
  const it = converters({ entry: program(counting('made', 250_000_000)) })
  const [, first] = await said(it)
  const [images, second] = await said(it)
  expect([images, second === first]).toEqual(['1', false])
})

test('closed, what runs and what waits is unavailable', async () => {
  const it = converters({ entry: program('process.stdin.resume()') })
  const both = [1, 2].map(() => it.convert(thumb, sourceOf(Buffer.from('x')), never))
  const codes = Promise.all(both.map((one) => one.catch((error: { code: string }) => error.code)))
  it.close()
  expect(await codes).toEqual(['unavailable', 'unavailable'])
})

test('a frame that no frame can be is refused', async () => {
  const start = frameStart({}, 5)
  start.writeUInt32BE(0xffffffff, 4)
  const it = converters({
    entry: program(
      `process.stdout.write(Buffer.from('${start.toString('hex')}', 'hex')); process.stdin.resume()`,
    ),
  })
  await expect(it.convert(thumb, sourceOf(Buffer.from('x')), never)).rejects.toMatchObject({
    code: 'undecodable',
  })
})
