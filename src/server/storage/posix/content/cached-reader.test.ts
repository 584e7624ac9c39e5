import { diskPathOf } from '../../disk-path.ts'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { succeeds, canMount } from '../../../../../test/kit/mounts.ts'
import { temporaryFolder } from '../../../../../test/kit/temporary-folder.ts'
import { root, type Path } from '../../../../shared/domain/path.ts'
import { openDescriptors } from '../../conformance/suite.ts'
import { entryOf, type InodeId } from '../calls/file-stat.ts'
import { nodeCalls } from '../calls/node-calls.ts'
import { openAnywhere } from '../calls/descriptors.ts'
import type { RootFolder } from '../root-folders.ts'
import { createCachedReader, type CachedReadRoot } from './cached-reader.ts'

type OwnFileOptions = { readonly own?: readonly InodeId[]; readonly prefixes?: readonly string[] }

const readRoot = (folder: RootFolder, { own = [], prefixes = [] }: OwnFileOptions = {}): CachedReadRoot => ({
  root: folder,
  volumeRoot: folder,
  rootContext: {
    descriptor: folder.descriptor,
    volumeRoot: { ...folder, mountPoint: null, mayRenew: true },
    reservedNames: [],
    followsExternal: false,
    hasRules: false,
    reservedFiles: {
      files: own,
      prefixes: prefixes.map((prefix) => ({ prefix, dev: folder.dev, ino: folder.ino })),
    },
  },
})

function rootAt(folder: string): RootFolder {
  const descriptor = openAnywhere(diskPathOf(folder))
  onTestFinished(() => closeSync(descriptor))
  const { dev, ino } = statSync(folder, { bigint: true })
  return { descriptor, dev, ino, key: folder, realPath: diskPathOf(realpathSync(folder)) }
}

/** Creates a folder and a reader that is ready for use, because it has already read `known.txt`. */
async function start(nowMs = () => 0) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'known.txt'), 'known')
  const volumeRoot = rootAt(folder)
  const reader = createCachedReader(volumeRoot, nowMs)
  reader.confirmVolumeRoot()
  await expect.poll(() => reader.read(readRoot(volumeRoot), '/known.txt' as Path)).not.toBe(null)
  const read = (path: string, options: OwnFileOptions = {}) =>
    reader.read(readRoot(volumeRoot, options), path as Path)
  return { folder, volumeRoot, reader, read }
}

test('a small file is returned with its bytes and the same entry that a thread would return', async () => {
  const { folder, volumeRoot, read } = await start()
  for (const name of ['a.txt', 'a%2Fb', '#?&+', '😀', 'x'.repeat(255)]) {
    writeFileSync(join(folder, name), `in ${name}`)
    const stat = nodeCalls().statAt({ folder: volumeRoot.descriptor, name })
    const opened = read(`/${name}`)
    expect(opened).toEqual({ entry: entryOf(name, stat), bytes: Buffer.from(`in ${name}`) })
  }
})

test('an empty file and a file of the maximum size are read; a larger one is not', async () => {
  const { folder, read } = await start()
  for (const sizeBytes of [0, 64 * 1024]) {
    writeFileSync(join(folder, 'file'), 'x'.repeat(sizeBytes))
    expect(read('/file')).toMatchObject({ entry: { sizeBytes }, bytes: { length: sizeBytes } })
  }
  writeFileSync(join(folder, 'file'), 'x'.repeat(64 * 1024 + 1))
  expect(read('/file')).toBe(null)
})

test('the bytes of one read are not overwritten by the next read', async () => {
  const { folder, read } = await start()
  for (const name of ['a', 'b']) writeFileSync(join(folder, name), name)
  const [a, b] = [read('/a'), read('/b')]
  expect([a, b]).toMatchObject([{ bytes: Buffer.from('a') }, { bytes: Buffer.from('b') }])
})

test('links, folders, pipes and missing entries are left to a thread', async () => {
  const { folder, volumeRoot, read } = await start()
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'sub', 'file'), 'x')
  symlinkSync('known.txt', join(folder, 'link'))
  symlinkSync('sub', join(folder, 'by'))
  symlinkSync('/etc/hostname', join(folder, 'out'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const named = ['/sub', '/link', '/by/file', '/out', '/pipe', '/none', '/known.txt/x', '/../known.txt']
  for (const path of [root, ...named]) expect([path, read(path)]).toEqual([path, null])
  expect(read('/sub/file')).not.toBe(null)
  const openedPaths = ['known.txt', 'sub', 'sub/file', 'pipe', 'link'].map((name) =>
    join(volumeRoot.realPath, name),
  )
  expect(openedPaths.map(openDescriptors)).toEqual(openedPaths.map(() => 0))
})

test("the server's own files are left to a thread", async () => {
  const { folder, read } = await start()
  writeFileSync(join(folder, 'own.db-wal'), 'x')
  const { dev, ino } = statSync(join(folder, 'known.txt'), { bigint: true })
  expect(read('/known.txt', { own: [{ dev, ino }] })).toBe(null)
  expect(read('/own.db-wal', { prefixes: ['own.db'] })).toBe(null)
  expect(read('/own.db-wal')).not.toBe(null)
  mkdirSync(join(folder, 'own.db-files'))
  for (const path of ['/own.db-files/x', '/not-own.db']) {
    writeFileSync(join(folder, path), 'x')
    expect(read(path)).not.toBe(null)
  }
  expect(read('/own.db-files/x', { prefixes: ['own.db'] })).toBe(null)
  expect(read('/not-own.db', { prefixes: ['own.db'] })).not.toBe(null)
})

test('nothing is read when the root folder was last confirmed a second ago or earlier', async () => {
  let nowMs = 0
  const { reader, read } = await start(() => nowMs)
  nowMs = 999
  expect(read('/known.txt')).not.toBe(null)
  nowMs = 1000
  expect(read('/known.txt')).toBe(null)
  reader.confirmVolumeRoot()
  expect(read('/known.txt')).not.toBe(null)
})

test('files below another root folder are left to a thread', async () => {
  const { folder, reader } = await start()
  expect(reader.read(readRoot(rootAt(folder)), '/known.txt' as Path)).toBe(null)
})

test.skipIf(!canMount())('files on another disk below the root are left to a thread', async () => {
  const { folder, read } = await start()
  mkdirSync(join(folder, 'disk'))
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', join(folder, 'disk')])
  onTestFinished(() => void succeeds('umount', '-l', join(folder, 'disk')))
  writeFileSync(join(folder, 'disk', 'file'), 'x')
  expect(read('/disk/file')).toBe(null)
})

test('files that are not in the page cache are left to a thread', async ({ skip }) => {
  const { folder, read } = await start()
  const names = Array.from({ length: 30 }, (_, n) => `cold-${n}`)
  // Direct I/O bypasses the page cache, so these files are not in the cache. A file system in memory does not support
  // direct I/O.
  const isCold = names.every((name) =>
    succeeds('dd', 'if=/dev/zero', `of=${join(folder, name)}`, 'bs=4096', 'count=4', 'oflag=direct'),
  )
  skip(!isCold, 'this file system is in memory')
  // A non-blocking read of missing bytes makes the kernel load them. A fast disk sometimes delivers them before the
  // call returns, so only some of these reads are expected to fail.
  const first = names.map((name) => read(`/${name}`))
  expect(first).toContain(null)
  expect(
    first
      .flatMap((found) => (found !== null && 'bytes' in found ? found.bytes.length : []))
      .filter((length) => length !== 16_384),
  ).toEqual([])
  for (const name of names) {
    execFileSync('cat', [join(folder, name)])
    expect(read(`/${name}`)).toMatchObject({ bytes: { length: 16_384 } })
  }
})
