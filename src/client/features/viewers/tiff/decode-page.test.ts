import sharp, { type TiffOptions } from 'sharp'
import { expect, test } from 'vitest'
import { faxes } from '../../../../../test/kit/faxes.ts'
import { makeTiff } from '../../../../../test/kit/tiff.ts'
import type { ReadPart } from '../../../../shared/photos/read-part.ts'
import { openTiff, readTiffDirectory } from '../../../../shared/photos/tiff-directories.ts'
import type { Bitmap } from './bitmap.ts'
import { decodePage } from './decode-page.ts'
import { readPageLayout } from './page-layout.ts'

const readerOf =
  (file: Uint8Array): ReadPart =>
  (offset, length) =>
    Promise.resolve(new Uint8Array(file.subarray(offset, offset + length)))

async function decode(file: Uint8Array): Promise<Bitmap> {
  const read = readerOf(file)
  const tiff = await openTiff(read)
  const layout = await readPageLayout(tiff, await readTiffDirectory(tiff, tiff.firstDirectory))
  return decodePage(layout, { read, signal: AbortSignal.timeout(60_000), onProgress: () => undefined })
}

/** Returns the pixels of a bitmap row by row: red, green, blue and opacity. */
function pixelsOf({ kind, width, height, pixels, palette }: Bitmap): Buffer {
  if (kind === 'colour') return Buffer.from(pixels)
  const stride = Math.ceil(width / 4) * 4
  return Buffer.concat(
    Array.from({ length: width * height }, (_, index) => {
      const at = (pixels[Math.floor(index / width) * stride + (index % width)] ?? 0) * 4
      return Buffer.from([palette[at + 2] ?? 0, palette[at + 1] ?? 0, palette[at] ?? 0, 255])
    }),
  )
}

const expectSamePixels = async (file: Buffer) => {
  const { data, info } = await sharp(file)
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const bitmap = await decode(file)
  expect([bitmap.width, bitmap.height]).toEqual([info.width, info.height])
  expect(pixelsOf(bitmap).equals(data)).toBe(true)
}

/** An image with areas, lines and noise, so that each compression has long and short repetitions. */
const drawing = (width: number, height: number) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#f4f0e0"/>` +
        Array.from(
          { length: 60 },
          (_, index) =>
            `<circle cx="${(index * 97) % width}" cy="${(index * 61) % height}" r="${(index * 7) % 40}" fill="hsl(${index * 40} 70% 40%)"/>` +
            `<path d="M0 ${index * 9}L${width} ${(index * 53) % height}" stroke="#000" stroke-width="${index % 4}"/>`,
        ).join('') +
        '</svg>',
    ),
  ).flatten({ background: '#fff' })

const options: readonly (readonly [string, TiffOptions])[] = [
  ['uncompressed', { compression: 'none', predictor: 'none' }],
  ['LZW', { compression: 'lzw', predictor: 'none' }],
  ['LZW with differences', { compression: 'lzw', predictor: 'horizontal' }],
  ['Deflate with differences', { compression: 'deflate', predictor: 'horizontal' }],
  ['PackBits', { compression: 'packbits', predictor: 'none' }],
  ['tiles', { compression: 'lzw', predictor: 'horizontal', tile: true, tileWidth: 64, tileHeight: 32 }],
  ['BigTIFF', { compression: 'lzw', predictor: 'none', bigtiff: true }],
]

test.each(options)('the colours are those of another decoder: %s', async (_kind, tiff) => {
  await expectSamePixels(await drawing(501, 333).tiff(tiff).toBuffer())
})

test.each(options)('the greys are those of another decoder: %s', async (_kind, tiff) => {
  await expectSamePixels(await drawing(501, 333).toColourspace('b-w').tiff(tiff).toBuffer())
})

test.each([
  ['group 4', { compression: 'ccittfax4', bitdepth: 1 }],
  ['uncompressed', { compression: 'none', bitdepth: 1 }],
  ['white is zero', { compression: 'packbits', bitdepth: 1, miniswhite: true }],
  ['4 bits', { compression: 'lzw', bitdepth: 4, predictor: 'none' }],
] as const)('pages of few shades are decoded: %s', async (_kind, tiff) => {
  for (const width of [1, 7, 64, 2700])
    await expectSamePixels(await drawing(width, 200).toColourspace('b-w').tiff(tiff).toBuffer())
})

test('fax noise is decoded, too, in which runs have one pixel', async () => {
  const noise = sharp({
    create: {
      width: 300,
      height: 200,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
  await expectSamePixels(
    await noise
      .toColourspace('b-w')
      .threshold(128)
      .tiff({ compression: 'ccittfax4', bitdepth: 1 })
      .toBuffer(),
  )
})

test.each([1, 2, 3, 4, 5, 6, 7, 8])('a page is upright in the orientation %i', async (orientation) => {
  await expectSamePixels(
    await drawing(50, 31).withMetadata({ orientation }).tiff({ compression: 'lzw' }).toBuffer(),
  )
})

test('opacity and samples of 16 bits are decoded', async () => {
  const seeThrough = await drawing(80, 60).ensureAlpha(0.5).tiff({ compression: 'lzw' }).toBuffer()
  await expectSamePixels(seeThrough)
  const deep = drawing(80, 60)
    .toColourspace('rgb16')
    .tiff({ compression: 'deflate', predictor: 'horizontal' })
  await expectSamePixels(await deep.toBuffer())
})

test.each(faxes)('faxes are decoded: %s', async (_kind, file) => {
  await expectSamePixels(Buffer.from(file, 'base64'))
})

test.each([
  [65_535, 10, 1, 'accepted'],
  [65_536, 10, 1, 'refused'],
  [65_536, 10, 6, 'accepted'],
  [10, 1_000_000, 1, 'accepted'],
  [10, 1_000_001, 1, 'refused'],
  [10, 1_000_000, 6, 'refused'],
  [14_143, 14_143, 1, 'refused'],
  [100_000_000, 2, 1, 'refused'],
  [4_000_000_000, 2, 1, 'refused'],
  [0, 2, 1, 'refused'],
])(
  'a page of %i × %i pixels in the orientation %i is %s before anything is decoded',
  async (width, height, orientation, verdict) => {
    const strips = [Buffer.alloc(1000)]
    const fields = {
      256: [width],
      257: [height],
      258: [8],
      259: [1],
      262: [2],
      274: [orientation],
      277: [3],
      278: [height],
    }
    const read = readerOf(makeTiff([{ fields, strips }]))
    const tiff = await openTiff(read)
    const layout = readPageLayout(tiff, await readTiffDirectory(tiff, tiff.firstDirectory))
    expect(
      await layout.then(
        () => 'accepted',
        () => 'refused',
      ),
    ).toBe(verdict)
  },
)
