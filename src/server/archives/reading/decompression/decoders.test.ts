import { randomBytes } from 'node:crypto'
import { constants, zstdCompressSync } from 'node:zlib'
import { compressFrame } from 'lz4-napi'
import lzma from 'lzma-native'
import { expect, test } from 'vitest'
import { createByteBudget } from '../../../concurrency/byte-budget.ts'
import { maxWindowBytes, xzDictionaryBytes, zstdWindowBytes } from './decoder-windows.ts'
import { lz4Decompress } from './lz4.ts'
import { unpackLz4Block } from '../../compressions/lz4-block.ts'
import { xzDecompress } from './xz.ts'

const mebi = 1024 * 1024

const compressXz = (bytes: Buffer, preset: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    lzma.compress(bytes, preset, (packed, error) => (packed === null ? reject(error) : resolve(packed)))
  })

/** Presents bytes as a file that is read in chunks of the given size. */
const sourceOf = (bytes: Buffer, chunkBytes = 64 * 1024) => ({
  sizeBytes: bytes.length,
  async *bytes({ start, end }: { readonly start: number; readonly end: number }) {
    for (let at = start; at < end; at += chunkBytes) yield bytes.subarray(at, Math.min(end, at + chunkBytes))
  },
})

async function wholeOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk))
  return Buffer.concat(parts)
}

const reservationOf = (bytes: number) =>
  createByteBudget({ totalBytes: bytes, bytesPerKey: bytes }).reserve('ann')

test.each([
  [1, mebi],
  [6, 8 * mebi],
  [9, 64 * mebi],
])('the dictionary of xz with the preset %d has %d bytes', async (preset, expected) => {
  expect(xzDictionaryBytes(await compressXz(Buffer.alloc(10), preset))).toBe(expected)
})

test('a file that is not xz, or that ends too early, may need the largest dictionary', () => {
  expect(xzDictionaryBytes(Buffer.alloc(64))).toBe(maxWindowBytes)
  expect(xzDictionaryBytes(Buffer.from('fd377a585a00', 'hex'))).toBe(maxWindowBytes)
})

test.each([
  ['a window of its own', [0x28, 0xb5, 0x2f, 0xfd, 0x00, (17 << 3) | 4, 0], 128 * mebi],
  ['a window of 1 KiB and an eighth', [0x28, 0xb5, 0x2f, 0xfd, 0x00, 1, 0], 1024 + 128],
  ['a single segment of 200 bytes', [0x28, 0xb5, 0x2f, 0xfd, 0x20, 200, 0], 200],
  ['a single segment of four bytes of size', [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 16, 0], mebi],
  ['no data', [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0], 0],
])('the window of a frame of zstd with %s is known', (_, bytes, expected) => {
  expect(zstdWindowBytes(Buffer.from(bytes))).toBe(expected)
})

test('zstd declares its window', () => {
  const packed = zstdCompressSync(Buffer.alloc(10), { params: { [constants.ZSTD_c_windowLog]: 20 } })
  expect(zstdWindowBytes(packed)).toBeLessThanOrEqual(mebi)
})

test('an xz file of several streams is unpacked, wherever its chunks end', async () => {
  const parts = [randomBytes(3000), Buffer.alloc(2 * mebi), randomBytes(10_000)]
  const packed = Buffer.concat(await Promise.all(parts.map((part) => compressXz(part, 1))))
  for (const chunkBytes of [64 * 1024, 2048, 1000, 1]) {
    const unpacked = await wholeOf(xzDecompress(sourceOf(packed, chunkBytes), reservationOf(100 * mebi)))
    expect(unpacked.equals(Buffer.concat(parts))).toBe(true)
  }
})

test('a small xz file that expands to 300 MB keeps little of it in memory while nobody reads on', async () => {
  // Ten streams of 30 MB are made in a tenth of the time of one stream of 300 MB.
  const stream = await compressXz(Buffer.alloc(30 * mebi), 0)
  const packed = Buffer.concat(Array.from({ length: 10 }, () => stream))
  const before = process.memoryUsage.rss()
  const bytes = xzDecompress(sourceOf(packed), reservationOf(100 * mebi))
  await bytes.next()
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect((process.memoryUsage.rss() - before) / mebi).toBeLessThan(150)
  await bytes.return()
}, 60_000)

test('an xz file whose dictionary is larger than the memory of a person is refused', async () => {
  const packed = await compressXz(Buffer.alloc(10), 9)
  const bytes = xzDecompress(sourceOf(packed), reservationOf(32 * mebi))
  await expect(bytes.next()).rejects.toMatchObject({ code: 'too-large' })
})

test('blocks of LZ4 are unpacked', async () => {
  const random = randomBytes(100_000)
  for (const bytes of [
    Buffer.from('a'),
    Buffer.alloc(9 * mebi),
    Buffer.concat([random, random, Buffer.from('abcabcabc')]),
  ]) {
    const packed = sourceOf(await compressFrame(bytes))
    const whole = packed.bytes({ start: 0, end: packed.sizeBytes })
    expect((await wholeOf(lz4Decompress(whole, async (block) => unpackLz4Block(block)))).equals(bytes)).toBe(
      true,
    )
  }
})

test.each([
  ['without a byte', []],
  ['with too few literals', [0x50, 1]],
  ['with a length that does not end', [0xf0, 255]],
  ['with a distance of 0', [0x10, 1, 0, 0, 0]],
  ['with a distance before its start', [0x10, 1, 2, 0, 0]],
  ['that expands too far', [0x1f, 1, 1, 0, 255, 0, 0]],
])('a block of LZ4 %s is refused', (_, packed) => {
  const block = { packed: Buffer.from(packed), history: Buffer.alloc(0), maxBytes: 100 }
  expect(() => unpackLz4Block(block)).toThrow(expect.objectContaining({ code: 'undecodable' }))
})
