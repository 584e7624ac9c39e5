import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { array, assert, asyncProperty, constantFrom, nat, tuple } from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { animated, phonePhotoAvif } from '../../../test/kit/images.ts'
import { drawingPrograms } from '../../../test/kit/posters.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTiff } from '../../../test/kit/tiff.ts'
import { readPictureHead } from './picture-head.ts'
import type { ReadPart } from './read-part.ts'
import { withFallback } from './unreadable-image.ts'

const readerOf =
  (file: Uint8Array): ReadPart =>
  (offset, length) =>
    Promise.resolve(new Uint8Array(file.subarray(offset, offset + length)))
const headOf = (file: Uint8Array) => readPictureHead(readerOf(file), file.length)
const sizeOf = async (file: Uint8Array) => {
  const { size } = await headOf(file)
  return size && [size.width, size.height]
}

/** A picture of 60 × 20 pixels, which an orientation turns. */
const picture = (orientation = 1): Sharp =>
  sharp({ create: { width: 60, height: 20, channels: 3, background: '#336699' } }).withMetadata({
    orientation,
  })

const formats = ['jpeg', 'png', 'webp', 'avif', 'tiff', 'gif'] as const

test.each(formats)('the size of a picture is read from %s', async (format) => {
  expect(await sizeOf(await picture().toFormat(format).toBuffer())).toEqual([60, 20])
})

test.each(formats)('the size of a turned %s is the one that its preview has', async (format) => {
  for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
    const file = await picture(orientation).toFormat(format).toBuffer()
    const { info } = await sharp(file, { autoOrient: true }).png().toBuffer({ resolveWithObject: true })
    expect([orientation, await sizeOf(file)]).toEqual([orientation, [info.width, info.height]])
  }
})

test('the size is read from the variants of formats', async () => {
  const transparent = sharp({ create: { width: 33, height: 44, channels: 4, background: '#33669980' } })
  expect(await sizeOf(await transparent.clone().webp().toBuffer())).toEqual([33, 44])
  expect(await sizeOf(await picture().webp({ lossless: true }).toBuffer())).toEqual([60, 20])
  expect(await sizeOf(await picture().jpeg({ progressive: true }).toBuffer())).toEqual([60, 20])
  expect(await sizeOf(await animated('gif'))).toEqual([300, 200])
  expect(await sizeOf(await animated('webp'))).toEqual([300, 200])
  expect(await sizeOf(phonePhotoAvif())).toEqual([4000, 3000])
  expect(
    await sizeOf(
      await sharp({ create: { width: 70_000, height: 1, channels: 3, background: '#000' } })
        .png()
        .toBuffer(),
    ),
  ).toEqual([70_000, 1])
})

test.skipIf(drawingPrograms.heifEncoder === null)('the size is read from HEIC', async () => {
  const folder = temporaryFolder()
  const from = path.join(folder, 'photo.png')
  writeFileSync(from, await picture().resize(600, 200).png().toBuffer())
  execFileSync(drawingPrograms.heifEncoder ?? '', [from, '-o', path.join(folder, 'photo.heic')])
  expect(await sizeOf(readFileSync(path.join(folder, 'photo.heic')))).toEqual([600, 200])
})

test('the size of a RAW file is that of the photo, and not that of a small copy with other proportions', async () => {
  const copy = { 254: [1], 256: [160], 257: [120] }
  expect(await sizeOf(makeTiff([{ fields: { 256: [600], 257: [400], 274: [8] } }]))).toEqual([400, 600])
  const below = { 330: [{ fields: { 256: [6000], 257: [4000] } }] }
  expect(await sizeOf(makeTiff([{ fields: copy, below }], { isBigEndian: true }))).toEqual([6000, 4000])
  const exif = { 0x8769: [{ fields: { 0xa002: [6010], 0xa003: [4010] } }] }
  expect(await sizeOf(makeTiff([{ fields: { ...copy, 274: [6] }, below: { ...below, ...exif } }]))).toEqual([
    4010, 6010,
  ])
  expect(await sizeOf(makeTiff([{ fields: copy }], { format: 0x55 }))).toEqual([160, 120])
})

test('what is no picture, and a size that cannot be, has none', async () => {
  const png = await picture().png().toBuffer()
  const withSide = (side: number): Buffer => {
    const changed = Buffer.from(png)
    changed.writeUInt32BE(side, 16)
    return changed
  }
  for (const side of [0, 1_000_001, 0xff_ff_ff_ff]) expect(await sizeOf(withSide(side))).toBe(null)
  for (const text of [
    '',
    'II',
    'MM',
    'GIF89a',
    'a text that is no image',
    '\xff\xd8',
    '\x89PNG\r\n\x1a\n',
    'RIFF0000WEBPVP8X',
  ])
    expect(await headOf(Buffer.from(text, 'latin1'))).toEqual({ takenAt: null, size: null })
})

test('each picture that is cut off ends with its size or without one', async () => {
  for (const format of formats) {
    const file = await picture(6).toFormat(format).toBuffer()
    for (let length = 0; length < Math.min(file.length, 900); length += 1) {
      const size = await withFallback(sizeOf(file.subarray(0, length)), null)
      expect([format, length, size === null || size.every((side) => side === 60 || side === 20)]).toEqual([
        format,
        length,
        true,
      ])
    }
  }
})

test('damaged pictures end with a size that can be or without one, after few reads', async () => {
  const files = await Promise.all(formats.map((format) => picture(6).toFormat(format).toBuffer()))
  await assert(
    asyncProperty(
      constantFrom(...files),
      array(tuple(nat(600), nat(255)), { minLength: 1, maxLength: 30 }),
      async (file, changes) => {
        const damaged = Buffer.from(file)
        for (const [at, value] of changes) damaged[at % damaged.length] = value
        let reads = 0
        const read = readerOf(damaged)
        const { size } = await readPictureHead((offset, bytes) => {
          reads += 1
          return read(offset, Math.min(bytes, 100_000))
        }, damaged.length)
        expect(reads).toBeLessThan(600)
        for (const side of size === null ? [] : [size.width, size.height]) {
          expect(side).toBeGreaterThan(0)
          expect(side).toBeLessThanOrEqual(1_000_000)
        }
      },
    ),
    { numRuns: 400 },
  )
})
