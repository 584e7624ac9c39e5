import { diskPathOf } from '../storage/disk-path.ts'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import {
  appendFile,
  chmod,
  link,
  mkdir,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pathOf } from '../../shared/domain/path.ts'
import { rowOrderOf } from '../../shared/domain/sorting.ts'
import type { Timer } from '../concurrency/later.ts'
import { monotonicMs, type FolderVersions, type FolderWatch } from '../storage/folder-watcher.ts'
import type { Listing, Storage } from '../storage/port.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { createFolderWatcher } from '../storage/posix/watching/folder-watcher.ts'
import { createListingCache, type ListingCache } from './listing-cache.ts'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'

const folder = pathOf('/many')!
const neverLater: Timer = () => () => {}

/** Creates a folder with a subfolder, and the volume that contains it. */
function createFolder() {
  const disk = realpathSync(mkdtempSync(path.join(tmpdir(), 'stowage-listing-cache-')))
  const onDisk = path.join(disk, 'many')
  mkdirSync(path.join(onDisk, 'sub'), { recursive: true })
  mkdirSync(path.join(disk, 'elsewhere'))
  const volume = createPosixVolume({ root: disk, pool: sharedStorageThreads() })
  onTestFinished(async () => {
    await volume.close()
    rmSync(disk, { recursive: true, force: true })
  })
  return { disk, onDisk, volume }
}

/** Writes 1,010 files: responses of folders with fewer than 1,000 entries are not stored. */
function fill(onDisk: string): void {
  for (let n = 0; n < 1010; n += 1) writeFileSync(path.join(onDisk, `file-${n}.txt`), 'x')
}

/** Watches a folder as the events socket does. */
async function watchFolder(onDisk: string): Promise<FolderVersions> {
  const watcher = createFolderWatcher()
  onTestFinished(() => watcher.close())
  const { dev, ino } = statSync(onDisk, { bigint: true })
  const { promise: started, resolve } = Promise.withResolvers<void>()
  const watch: FolderWatch = watcher.watch(
    { realPath: diskPathOf(onDisk), dev, ino },
    { onStart: resolve, onChange: () => {}, onGone: () => {}, onEnd: () => {} },
  )
  await started
  const isWatched = (identity: { readonly dev: bigint; readonly ino: bigint }) =>
    identity.dev === dev && identity.ino === ino
  return { versionOf: async (identity) => (isWatched(identity) ? watch.version() : null), count: () => 1 }
}

type ListingSetup = ReturnType<typeof createFolder> & { readonly cache: ListingCache }

/** Returns the response for the folder, and whether it came from the cache. */
async function respond({ volume, cache }: ListingSetup, whileListing: () => Promise<void> = async () => {}) {
  const request = { key: 'ann', storage: volume, path: folder }
  const cached = await cache.find(request)
  const startedAtMs = monotonicMs()
  const order = rowOrderOf({ by: 'name', asc: true })
  const listing = cached === null ? await volume.list(folder, { order, sniffs: true }) : null
  const response = cached ?? cache.record({ ...request, startedAtMs }, listing!, encode)
  let text = ''
  for await (const chunk of response.chunks) {
    if (text === '') await whileListing()
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
  }
  return { isCached: cached !== null, text }
}

async function* encode(pages: Listing['pages']): AsyncGenerator<string> {
  for await (const { names, sizesBytes, modifiedMs, modes, types } of pages)
    for (const [at, name] of names.entries())
      yield `${name} ${sizesBytes[at]} ${Math.floor(modifiedMs[at]!)} ${modes[at]} ${types[at]}\n`
}

/** Every kind of change that another program can make, with immediate effect on the rows of the folder. */
const changes: Readonly<Record<string, (onDisk: string) => Promise<void>>> = {
  'a new file': (onDisk) => writeFile(path.join(onDisk, 'new.txt'), 'new'),
  'a new folder': (onDisk) => mkdir(path.join(onDisk, 'new')),
  'a removed file': (onDisk) => rm(path.join(onDisk, 'file-7.txt')),
  'a renamed file': (onDisk) => rename(path.join(onDisk, 'file-8.txt'), path.join(onDisk, 'renamed.txt')),
  'a file that moved away': (onDisk) =>
    rename(path.join(onDisk, 'file-9.txt'), path.join(onDisk, '../elsewhere/file-9.txt')),
  'more bytes of a file': (onDisk) => appendFile(path.join(onDisk, 'file-10.txt'), 'more'),
  'fewer bytes of a file': (onDisk) => truncate(path.join(onDisk, 'file-11.txt'), 0),
  'other bytes of a file': (onDisk) => writeFile(path.join(onDisk, 'file-12.txt'), 'y'),
  'another time of a file': (onDisk) => utimes(path.join(onDisk, 'file-13.txt'), 1, 1),
  'another mode of a file': (onDisk) => chmod(path.join(onDisk, 'file-14.txt'), 0o600),
  'another mode of the folder': (onDisk) => chmod(onDisk, 0o711),
  'a file in a subfolder': (onDisk) => writeFile(path.join(onDisk, 'sub/inner.txt'), 'inner'),
  'a folder instead of another': async (onDisk) => {
    await rename(onDisk, `${onDisk}-former`)
    await mkdir(onDisk)
    fill(onDisk)
  },
}

test('a response is sent again while nothing changes, and never after another program has changed anything', async () => {
  const setup = createFolder()
  fill(setup.onDisk)
  const cache = createListingCache({ versions: await watchFolder(setup.onDisk), later: neverLater })
  const listed = { ...setup, cache }
  const first = await respond(listed)
  expect(first.isCached).toBe(false)
  expect(await respond(listed)).toEqual({ isCached: true, text: first.text })
  for (const [what, change] of Object.entries(changes)) {
    await change(setup.onDisk)
    const changed = await respond(listed)
    expect([what, changed.isCached]).toEqual([what, false])
    const isReplaced = what === 'a folder instead of another'
    expect([what, await respond(listed)]).toEqual([what, { isCached: !isReplaced, text: changed.text }])
  }
})

test('a response is not stored when the folder changed while it was listed', async () => {
  const setup = createFolder()
  fill(setup.onDisk)
  const cache = createListingCache({ versions: await watchFolder(setup.onDisk), later: neverLater })
  const listed = { ...setup, cache }
  const change = () => appendFile(path.join(setup.onDisk, 'file-1.txt'), 'more')
  expect(await respond(listed, change)).toMatchObject({ isCached: false })
  expect(await respond(listed)).toMatchObject({ isCached: false })
  expect(await respond(listed)).toMatchObject({ isCached: true })
})

test.each<readonly [string, (setup: ReturnType<typeof createFolder>) => Promise<void>]>([
  ['a link', ({ onDisk }) => symlink('file-1.txt', path.join(onDisk, 'link'))],
  ['a link that the storage hides', ({ onDisk }) => symlink('/etc', path.join(onDisk, 'link'))],
  [
    'a file with two names',
    ({ disk, onDisk }) => link(path.join(onDisk, 'file-1.txt'), path.join(disk, 'elsewhere/2')),
  ],
  [
    'more than 64 subfolders',
    async ({ onDisk }) => {
      for (let n = 0; n < 64; n += 1) await mkdir(path.join(onDisk, `sub-${n}`))
    },
  ],
])(
  'the response of a folder with %s is not stored, because its rows change without a notification',
  async (...testCase) => {
    const [, prepare] = testCase
    const setup = createFolder()
    fill(setup.onDisk)
    await prepare(setup)
    const cache = createListingCache({ versions: await watchFolder(setup.onDisk), later: neverLater })
    for (let n = 0; n < 2; n += 1)
      expect(await respond({ ...setup, cache })).toMatchObject({ isCached: false })
  },
)

/** A folder that never changes, and a cache with a given capacity. Timers run when the test calls them. */
function createSteadyCache(maxBytes: number) {
  const timers = new Set<() => void>()
  const later: Timer = (_ms, run) => {
    timers.add(run)
    return () => void timers.delete(run)
  }
  const identity = { dev: 1n, ino: 1n }
  const watch = { isAlive: true }
  const versions: FolderVersions = {
    versionOf: async () => (watch.isAlive ? { id: '1.1', changedAtMs: 0 } : null),
    count: () => 1,
  }
  const cache = createListingCache({ versions, later, maxBytes })
  const storage = { localDisk: { folder: async () => identity } } as unknown as Storage
  const find = async (key: string) => (await cache.find({ key, storage, path: folder })) !== null
  /** Begins to send a listing of the given size in bytes. */
  const start = (key: string, bytes: number) => {
    const listing = {
      folder: { etag: 'some' },
      total: 1000,
      pages: [],
      localDisk: { identity, isCoveredByWatch: () => true },
    } as unknown as Listing
    const request = { key, storage, path: folder, startedAtMs: monotonicMs() }
    const { chunks } = cache.record(request, listing, async function* () {
      yield 'x'.repeat(bytes)
    })
    return chunks[Symbol.asyncIterator]()
  }
  const store = async (key: string, bytes: number) => {
    const chunks = start(key, bytes)
    while ((await chunks.next()).done !== true);
  }
  return { timers, watch, find, start, store }
}

test('the responses that were used least recently are dropped when the capacity is exceeded', async () => {
  const { find, store, timers } = createSteadyCache(3000)
  for (const key of ['a', 'b', 'c']) await store(key, 1000)
  expect(await find('a')).toBe(true)
  await store('d', 1000)
  expect([await find('a'), await find('b'), await find('c'), await find('d')]).toEqual([
    true,
    false,
    true,
    true,
  ])
  await store('e', 3001)
  expect([await find('e'), timers.size]).toEqual([false, 0])
})

test('clients that read slowly do not make the server record more than 32 MB', async () => {
  const { find, start } = createSteadyCache(100e6)
  const clients = ['a', 'b', 'c', 'd', 'a'].map((key) => start(key, 12e6))
  for (const client of clients) await client.next()
  for (const client of clients) while ((await client.next()).done !== true);
  expect([await find('a'), await find('b'), await find('c'), await find('d')]).toEqual([
    true,
    true,
    false,
    false,
  ])
  const late = start('c', 12e6)
  while ((await late.next()).done !== true);
  expect(await find('c')).toBe(true)
})

test('a response is dropped when it was not used for some time, and is not sent when the watch has ended', async () => {
  const { find, store, timers, watch } = createSteadyCache(3000)
  await store('a', 1000)
  await store('a', 2000)
  expect(timers.size).toBe(1)
  for (const run of timers) run()
  expect([await find('a'), timers.size]).toEqual([false, 0])
  await store('a', 1000)
  watch.isAlive = false
  expect([await find('a'), timers.size]).toEqual([false, 0])
  watch.isAlive = true
  expect(await find('a')).toBe(false)
})
