import { beforeAll, expect, test, vi } from 'vitest'
import type { ListedEntry } from '../../state/listed-entry.ts'

const configuration = { EnableThumbs: true, ResizePreview: true, Features: ['poster-nef', 'poster-video'] }
let { hasPoster, thumbnailRequest } = await import('./thumbnail-address.ts')
beforeAll(async () => {
  // Other tests may have read another configuration, which is read once.
  vi.resetModules()
  vi.stubGlobal('document', { querySelector: () => ({ textContent: JSON.stringify(configuration) }) })
  ;({ hasPoster, thumbnailRequest } = await import('./thumbnail-address.ts'))
})

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

test.each<[string, Pick<ListedEntry, 'name' | 'type'>, string | undefined]>([
  ['a photo', { name: 'a.JPG', type: 'image' }, 'big'],
  ['a RAW file', { name: 'a.nef', type: 'image' }, 'big'],
  ['a GIF', { name: 'a.gif', type: 'image' }, 'tile'],
  ['a WebP, which may be an animation', { name: 'a.webp', type: 'image' }, 'tile'],
  ['an image without an extension', { name: 'scan', type: 'image' }, 'tile'],
  ['a video', { name: 'a.mp4', type: 'video' }, 'tile'],
  ['a file without a thumbnail', { name: 'a.svg', type: 'image' }, undefined],
])('the largest thumbnail of %s is never the file itself', (_, entry, size) => {
  const facts = { isFolder: false, isLink: false, isBroken: false, sizeBytes: 1, modifiedMs: 0 }
  expect(thumbnailRequest({ ...facts, ...entry }, 'big')?.size).toBe(size)
})
