import { array, assert, asyncProperty, nat, tuple } from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeRaw } from '../../../test/kit/posters.ts'
import { makeTiff } from '../../../test/kit/tiff.ts'
import type { ReadPart } from '../../shared/photos/read-part.ts'
import { readRawPreview } from './raw-preview.ts'
import { UnreadableImageError } from '../../shared/photos/unreadable-image.ts'

const readerOf =
  (file: Uint8Array): ReadPart =>
  (offset, length) =>
    Promise.resolve(new Uint8Array(file.subarray(offset, offset + length)))
const previewOf = (file: Uint8Array) => readRawPreview(readerOf(file), file.length)
const sizeOf = async (image: Blob) => {
  const { width, height } = await sharp(await image.arrayBuffer())
    .autoOrient()
    .toBuffer({ resolveWithObject: true })
    .then(({ info }) => info)
  return [width, height]
}
const jpegOf = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer()
const jpeg = await jpegOf(60, 40)

test.each([
  { place: 'sub-directory' },
  { place: 'strip' },
  { place: 'raw-tag', magic: 0x55 },
  { place: 'sub-directory', isBigEndian: true },
] as const)('the image of a RAW file is found and turned as the camera was held (%j)', async (options) => {
  expect(await sizeOf(await previewOf(makeRaw({ jpeg, ...options })))).toEqual([60, 40])
  expect(await sizeOf(await previewOf(makeRaw({ jpeg, orientation: 6, ...options })))).toEqual([40, 60])
})

test('the largest image is taken, and an orientation of its own counts', async () => {
  const large = await sharp(await jpegOf(300, 200))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const file = makeTiff([
    { fields: { 274: [3] }, jpeg, below: { 330: [{ jpeg: large }, { jpeg: await jpegOf(8, 8) }] } },
  ])
  expect(await sizeOf(await previewOf(file))).toEqual([200, 300])
})

test('data of a sensor that are stored as lossless JPEG are no image', async () => {
  const lossless = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xc3, 0, 14]), Buffer.alloc(5000, 7)])
  const file = makeTiff([{ fields: { 259: [7] }, strips: [lossless], below: { 330: [{ jpeg }] } }])
  expect(await sizeOf(await previewOf(file))).toEqual([60, 40])
  await expect(previewOf(makeTiff([{ fields: { 259: [7] }, strips: [lossless] }]))).rejects.toThrow(
    UnreadableImageError,
  )
})

test.each([
  ['no file of a camera', Buffer.from('a text')],
  ['a place after the end', makeRaw({ jpeg, jpegStart: 1_000_000 })],
  ['directories in a circle', makeRaw({ jpeg, nextDirectory: 8 })],
  ['a chain without end', makeTiff([{ fields: { 256: [1] } }, { fields: { 256: [1] } }], { loopsTo: 0 })],
])('a file with %s is refused', async (_case, file) => {
  await expect(previewOf(file)).rejects.toThrow(UnreadableImageError)
})

test('an image that is too large for the memory is not loaded', async () => {
  const file = makeTiff([{ fields: { 0x201: [200], 0x202: [200_000_000] } }])
  const whole = Buffer.concat([file, Buffer.alloc(200 - file.length), jpeg])
  let readBytes = 0
  const reading = readRawPreview((offset, length) => {
    readBytes += length
    return readerOf(whole)(offset, length)
  }, 1_000_000_000)
  await expect(reading).rejects.toThrow(UnreadableImageError)
  expect(readBytes).toBeLessThan(1000)
})

test('damaged files end with an image or an error, after few reads', async () => {
  const whole = makeTiff([{ fields: { 274: [6] }, jpeg, below: { 330: [{ jpeg }, { jpeg }] } }])
  await assert(
    asyncProperty(
      array(tuple(nat(whole.length - 1), nat(255)), { minLength: 1, maxLength: 20 }),
      async (changes) => {
        const damaged = Buffer.from(whole)
        for (const [at, value] of changes) damaged[at] = value
        let reads = 0
        const read = readerOf(damaged)
        const outcome = await readRawPreview((offset, length) => {
          reads += 1
          return read(offset, Math.min(length, 100_000))
        }, damaged.length).catch((error: unknown) => error)
        expect(outcome instanceof Blob || outcome instanceof UnreadableImageError).toBe(true)
        expect(reads).toBeLessThan(3000)
      },
    ),
    { numRuns: 300 },
  )
})
