import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { imageSizeOf } from './image-size.ts'

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)),
  )

const png = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 2, 0x80, 0, 0, 1, 0xe0])
const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xff, 0xc2, 0, 11, 8, 1, 0xe0, 2, 0x80, 3])

test.each([
  ['PNG', png],
  ['GIF', bytes('GIF89a', [0x80, 2, 0xe0, 1])],
  ['JPEG', jpeg],
  ['WebP, lossy', bytes('RIFF....WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1])],
  ['WebP, lossless', bytes('RIFF....WEBPVP8L', [0, 0, 0, 0, 0x2f, 0x7f, 0xc2, 0x77, 0])],
  ['WebP, extended', bytes('RIFF....WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0])],
  [
    'BMP, from the top',
    bytes(
      'BM',
      Array(12).fill(0) as number[],
      [40, 0, 0, 0, 0x80, 2, 0, 0, 0x20, 0xfe, 0xff, 0xff],
      [0, 0, 0, 0],
    ),
  ],
])('the size is read from the first bytes: %s', (_kind, head) => {
  expect(imageSizeOf(head)).toEqual({ width: 640, height: 480 })
})

test('a truncated, empty or unknown image has no size', () => {
  for (const head of [
    png.subarray(0, 20),
    jpeg.subarray(0, 14),
    bytes(''),
    bytes('<svg width="1">'),
    bytes([0xff, 0xd8, 0, 0]),
  ])
    expect(imageSizeOf(head)).toBeNull()
})

test('for arbitrary bytes, reading the size ends with a size or null', () => {
  const starts = fc.constantFrom(
    png.subarray(0, 16),
    jpeg.subarray(0, 2),
    jpeg,
    bytes('RIFF....WEBPVP8L'),
    bytes('BM'),
  )
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 64 }), (start, rest) => {
      const size = imageSizeOf(Uint8Array.from([...start, ...rest]))
      expect(size === null || (size.width > 0 && size.height > 0)).toBe(true)
    }),
  )
})
