import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { thumbnailOf } from './thumbnail-address.ts'

/** The page of a server that makes thumbnails, and that has no program for HEIC images. */
const page = { EnableThumbs: true, Features: ['poster-raf'] }

beforeAll(() => {
  vi.stubGlobal('document', { querySelector: () => ({ textContent: JSON.stringify(page) }) })
})
afterAll(() => vi.unstubAllGlobals())

const addressOf = (name: string): string => {
  const entry = { name, type: 'image', sizeBytes: 1, modifiedMs: 0, isBroken: false } as ListedEntry
  return thumbnailOf('/' as Parameters<typeof thumbnailOf>[0], entry, 'list')
}

test.each(['photo.heic', 'photo.HEIF', 'photo.hif'])(
  'a thumbnail of %s is requested, because its content may be a JPEG',
  (name) => {
    expect(addressOf(name)).toMatch(/poster=true$/)
  },
)

test('a thumbnail of a RAW file is requested only when the server draws pictures of its format', () => {
  expect(addressOf('photo.raf')).toMatch(/poster=true$/)
  expect(addressOf('photo.nef')).toBe('')
  expect(addressOf('photo.jpg')).not.toMatch(/poster/)
})
