import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { createPreviewCache, type PreviewKey } from './preview-cache.ts'

const key = (sourceEtag: string): PreviewKey => ({ sourceEtag, size: 'thumb', format: 'jpeg' })

/** As much of a JPEG as the cache looks at. */
function jpeg(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes)
  bytes.writeUInt16BE(0xffd8, 0)
  bytes.writeUInt16BE(0xffd9, sizeBytes - 2)
  return bytes
}

function cacheIn(folder: string, mostBytes = 1e6) {
  const world = { nowMs: Date.now(), faults: [] as unknown[] }
  let last = 0
  const cache = createPreviewCache({
    folder,
    mostBytes,
    nowMs: () => world.nowMs,
    randomHex: () => `${(last += 1)}`,
    onFault: (error) => world.faults.push(error),
  })
  return { ...cache, world }
}
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(folder, name)).isFile(),
  )

test('what was kept is found, by what it is of, its size and its format; nobody else may read it', async () => {
  const folder = path.join(temporaryFolder(), 'previews')
  const { find, keep } = cacheIn(folder)
  await keep(key('a'), jpeg(100))
  expect(await find(key('a'))).toEqual(jpeg(100))
  for (const other of [
    key('b'),
    { ...key('a'), size: 'big' as const },
    { ...key('a'), format: 'webp' as const },
  ])
    expect(await find(other)).toBeNull()
  const [name = ''] = filesIn(folder)
  expect([statSync(folder).mode & 0o777, statSync(path.join(folder, name)).mode & 0o777]).toEqual([
    0o700, 0o600,
  ])
})

test('above the bound, what was not used for longest goes', async () => {
  const folder = temporaryFolder()
  const { find, keep, world } = cacheIn(folder, 1000)
  for (const name of ['a', 'b', 'c']) {
    await keep(key(name), jpeg(300))
    const minute = 60_000 * (name.charCodeAt(0) - 97)
    for (const file of filesIn(folder)) {
      const at = path.join(folder, file)
      if (statSync(at).mtimeMs > world.nowMs - 3_000_000)
        utimesSync(at, (world.nowMs - 9e6 + minute) / 1000, (world.nowMs - 9e6 + minute) / 1000)
    }
  }
  await find(key('a'))
  await keep(key('d'), jpeg(300))
  const left = await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => (await find(key(name))) !== null))
  expect(left).toEqual([true, false, true, true])
})

test('a sweep takes what a stopped server left half written, and nothing that is not ours', async () => {
  const folder = temporaryFolder()
  const name = `${'0'.repeat(64)}.webp.12ab.new`
  mkdirSync(path.join(folder, '00'))
  for (const file of [`00/${name}`, '00/photo.webp', 'notes.txt']) {
    writeFileSync(path.join(folder, file), 'x'.repeat(2000))
    utimesSync(path.join(folder, file), 1, 1)
  }
  await cacheIn(folder, 1000).keep(key('a'), jpeg(300))
  expect(
    filesIn(folder)
      .filter((file) => !file.endsWith('.jpeg'))
      .sort(),
  ).toEqual(['00/photo.webp', 'notes.txt'])
})

test('a folder that cannot be written is told, and nothing is kept', async () => {
  const file = path.join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const { find, keep, world } = cacheIn(path.join(file, 'below'))
  await keep(key('a'), jpeg(100))
  expect([await find(key('a')), world.faults.length]).toEqual([null, 1])
})

test.each([
  ['cut short', jpeg(100).subarray(0, 60)],
  ['empty', Buffer.alloc(0)],
  ['of zeros', Buffer.alloc(100)],
])('one that is %s is none', async (_case, bytes) => {
  const folder = temporaryFolder()
  const { find, keep } = cacheIn(folder)
  await keep(key('a'), bytes)
  expect(await find(key('a'))).toBeNull()
})
