import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { createPreviewCache, type PreviewKey } from './preview-cache.ts'

const key = (sourceEtag: string): PreviewKey => ({ sourceEtag, size: 'thumb', format: 'jpeg' })

/** Returns bytes that begin and end like a JPEG file. The cache checks nothing else. */
function jpeg(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes)
  bytes.writeUInt16BE(0xffd8, 0)
  bytes.writeUInt16BE(0xffd9, sizeBytes - 2)
  return bytes
}

function cacheIn(folder: string, maxBytes = 1e6) {
  const state = { nowMs: Date.now(), faults: [] as unknown[] }
  let last = 0
  const cache = createPreviewCache({
    folder,
    maxBytes,
    nowMs: () => state.nowMs,
    randomHex: () => `${(last += 1)}`,
    onFault: (error) => state.faults.push(error),
  })
  return { ...cache, state }
}
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(folder, name)).isFile(),
  )

test('a cached preview is found by source, size and format, and only the server may read its file', async () => {
  const folder = path.join(temporaryFolder(), 'previews')
  const { get, put } = cacheIn(folder)
  await put(key('a'), jpeg(100))
  expect(await get(key('a'))).toEqual(jpeg(100))
  for (const other of [
    key('b'),
    { ...key('a'), size: 'big' as const },
    { ...key('a'), format: 'webp' as const },
  ])
    expect(await get(other)).toBeNull()
  const [name = ''] = filesIn(folder)
  expect([statSync(folder).mode & 0o777, statSync(path.join(folder, name)).mode & 0o777]).toEqual([
    0o700, 0o600,
  ])
})

test('above the size limit, the least recently used preview is evicted', async () => {
  const folder = temporaryFolder()
  const { get, put, state } = cacheIn(folder, 1000)
  for (const name of ['a', 'b', 'c']) {
    await put(key(name), jpeg(300))
    const minute = 60_000 * (name.charCodeAt(0) - 97)
    for (const file of filesIn(folder)) {
      const cached = path.join(folder, file)
      if (statSync(cached).mtimeMs > state.nowMs - 3_000_000)
        utimesSync(cached, (state.nowMs - 9e6 + minute) / 1000, (state.nowMs - 9e6 + minute) / 1000)
    }
  }
  await get(key('a'))
  await put(key('d'), jpeg(300))
  const left = await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => (await get(key(name))) !== null))
  expect(left).toEqual([true, false, true, true])
})

test('a sweep removes staged files of a stopped server and no files of other programs', async () => {
  const folder = temporaryFolder()
  const name = `${'0'.repeat(64)}.webp.12ab.new`
  mkdirSync(path.join(folder, '00'))
  for (const file of [`00/${name}`, '00/photo.webp', 'notes.txt']) {
    writeFileSync(path.join(folder, file), 'x'.repeat(2000))
    utimesSync(path.join(folder, file), 1, 1)
  }
  await cacheIn(folder, 1000).put(key('a'), jpeg(300))
  expect(
    filesIn(folder)
      .filter((file) => !file.endsWith('.jpeg'))
      .sort(),
  ).toEqual(['00/photo.webp', 'notes.txt'])
})

test('a folder that cannot be written is reported, and nothing is cached', async () => {
  const file = path.join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const { get, put, state } = cacheIn(path.join(file, 'below'))
  await put(key('a'), jpeg(100))
  expect([await get(key('a')), state.faults.length]).toEqual([null, 1])
})

test.each([
  ['cut short', jpeg(100).subarray(0, 60)],
  ['empty', Buffer.alloc(0)],
  ['full of zeros', Buffer.alloc(100)],
])('a cached file that is %s is not used', async (_case, bytes) => {
  const folder = temporaryFolder()
  const { get, put } = cacheIn(folder)
  await put(key('a'), bytes)
  expect(await get(key('a'))).toBeNull()
})
