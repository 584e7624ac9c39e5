import { expect, test } from 'vitest'
import { hasPoster } from './thumbnail-address.ts'

/** The features of a server that has no program for HEIC images. */
const offersRaf = (feature: string): boolean => feature === 'poster-raf'

test.each(['heic', 'heif', 'hif'])(
  'a thumbnail of an image .%s is requested, because its content may be a JPEG',
  (extension) => {
    expect(hasPoster('image', extension, offersRaf)).toBe(true)
  },
)

test('a thumbnail of a RAW file is requested only when the server draws pictures of its format', () => {
  expect(hasPoster('image', 'raf', offersRaf)).toBe(true)
  expect(hasPoster('image', 'nef', offersRaf)).toBe(false)
})
