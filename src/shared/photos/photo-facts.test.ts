import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { array, assert, asyncProperty, constantFrom, nat, tuple } from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { drawingPrograms } from '../../../test/kit/posters.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTiff } from '../../../test/kit/tiff.ts'
import type { ReadPart } from './read-part.ts'
import { readPhotoFacts } from './photo-facts.ts'

const readerOf =
  (file: Uint8Array): ReadPart =>
  (offset, length) =>
    Promise.resolve(new Uint8Array(file.subarray(offset, offset + length)))
const factsOf = (file: Uint8Array) => readPhotoFacts(readerOf(file), file.length)

/** An image with what a camera writes about a photo. */
const photo = (): Sharp =>
  sharp({ create: { width: 20, height: 10, channels: 3, background: '#336699' } }).withExif({
    IFD0: { Make: 'Canon', Model: 'Canon EOS R5' },
    IFD2: {
      DateTimeOriginal: '2026:11:25 18:30:05',
      ExposureTime: '1/250',
      FNumber: '28/10',
      FocalLength: '50/1',
      ISOSpeedRatings: '400',
      LensModel: 'RF 50mm F1.2',
    },
    IFD3: {
      GPSLatitudeRef: 'S',
      GPSLatitude: '33/1 51/1 3150/100',
      GPSLongitudeRef: 'E',
      GPSLongitude: '151/1 12/1 5400/100',
    },
  })
const written = {
  camera: 'Canon EOS R5',
  lens: 'RF 50mm F1.2',
  exposureSeconds: 0.004,
  fNumber: 2.8,
  iso: 400,
  focalLengthMm: 50,
  takenAt: '2026-11-25T18:30:05',
  place: { latitude: expect.closeTo(-33.858_75, 5), longitude: expect.closeTo(151.215, 5) },
}

test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
  'the facts of a photo are read from %s',
  async (format) => {
    expect(await factsOf(await photo().toFormat(format).toBuffer())).toEqual(written)
  },
)

test.skipIf(drawingPrograms.heifEncoder === null)('the facts of a photo are read from HEIC', async () => {
  const folder = temporaryFolder()
  const from = path.join(folder, 'photo.jpg')
  writeFileSync(from, await photo().jpeg().toBuffer())
  execFileSync(drawingPrograms.heifEncoder ?? '', [from, '-o', path.join(folder, 'photo.heic')])
  expect(await factsOf(readFileSync(path.join(folder, 'photo.heic')))).toEqual(written)
})

test('an image without facts, and what is no image, have none', async () => {
  const plain = sharp({ create: { width: 20, height: 10, channels: 3, background: '#336699' } })
  for (const format of ['jpeg', 'png', 'webp', 'tiff', 'avif', 'gif'] as const)
    expect([format, await factsOf(await plain.toFormat(format).toBuffer())]).toEqual([format, null])
  for (const text of ['', 'II', 'a text that is no image', '\xff\xd8', '\x89PNG\r\n\x1a\n'])
    expect(await factsOf(Buffer.from(text, 'latin1'))).toBe(null)
})

test('the maker is not repeated, and values that a camera does not know are left out', async () => {
  const gps = { 1: 'N', 2: [0, 0, 0], 3: 'E', 4: [0, 0, 0] }
  const file = makeTiff([
    {
      fields: { 271: 'OM Digital', 272: 'E-M1' },
      below: {
        0x8769: [{ fields: { 0x9003: '0000:00:00 00:00:00', 0x829d: [0] } }],
        0x8825: [{ fields: gps }],
      },
    },
  ])
  expect(await factsOf(file)).toMatchObject({
    camera: 'OM Digital E-M1',
    takenAt: null,
    fNumber: null,
    place: null,
  })
})

test('damaged photos end with facts, without, or with an error, after few reads', async () => {
  const files = await Promise.all(
    (['jpeg', 'png', 'webp', 'tiff', 'avif'] as const).map((format) => photo().toFormat(format).toBuffer()),
  )
  await assert(
    asyncProperty(
      constantFrom(...files),
      array(tuple(nat(2000), nat(255)), { minLength: 1, maxLength: 30 }),
      nat(2000),
      async (file, changes, length) => {
        const damaged = Buffer.from(file.subarray(0, Math.max(16, file.length - length)))
        for (const [at, value] of changes) damaged[at % damaged.length] = value
        let reads = 0
        const read = readerOf(damaged)
        await readPhotoFacts((offset, bytes) => {
          reads += 1
          return read(offset, Math.min(bytes, 100_000))
        }, damaged.length)
        expect(reads).toBeLessThan(500)
      },
    ),
    { numRuns: 300 },
  )
})
