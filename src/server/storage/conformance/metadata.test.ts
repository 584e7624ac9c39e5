import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memoryDisk, canMount } from '../../../../test/kit/mounts.ts'
import { loadKernel } from '../posix/calls/kernel.ts'
import { bodyOf, conformance, p, refusalCode, treeOf, canRun } from './suite.ts'

const create = { overwrite: 'create' } as const
const upsert = { overwrite: 'upsert' } as const
const isRoot = process.getuid?.() === 0

/** 17 hours before 1970, with a fraction of a second. */
const beforeEpochMs = -61_200_500

const loaded = await loadKernel()

/** Sets an extended attribute of a file. */
function setAttribute(path: string, name: string, value: string): void {
  if (loaded === null) throw new Error('koffi did not load.')
  const { kernel, number } = loaded
  const [at, key, bytes] = [path, name, value].map((text) => Buffer.from(`${text}\0`))
  const addresses = [at, key, bytes].map((buffer) => kernel.addressOf(buffer as Buffer))
  const [pathAt = 0, nameAt = 0, valueAt = 0] = addresses
  expect(kernel.setxattr(number.setxattr, pathAt, nameAt, valueAt, value.length, 0)).toBe(0)
}

/** Returns an extended attribute of a file, or null. */
function attributeOf(path: string, name: string): string | null {
  if (loaded === null) throw new Error('koffi did not load.')
  const { kernel, number } = loaded
  const value = Buffer.alloc(1024)
  const [at, key] = [path, name].map((text) => Buffer.from(`${text}\0`))
  const [pathAt = 0, nameAt = 0, valueAt = 0] = [at, key, value].map((buffer) =>
    kernel.addressOf(buffer as Buffer),
  )
  const size = kernel.getxattr(number.getxattr, pathAt, nameAt, valueAt, value.length)
  return size < 0 ? null : value.toString('utf8', 0, size)
}

const lossesOf = (entry: {
  readonly losses?: readonly { readonly kind: string; readonly paths: readonly string[] }[]
}) => (entry.losses ?? []).map(({ kind, paths }) => `${kind} ${paths.join(' ')}`)

/** Mounts another disk in a folder of a test case, so that a move into it has to copy. */
function mountDisk(folder: string): ReturnType<typeof memoryDisk> {
  mkdirSync(folder)
  const disk = memoryDisk('size=64m')
  if (disk === null) return null
  execFileSync('mount', ['--bind', disk.folder, folder])
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder])
    disk.remove()
  })
  return disk
}

conformance('M metadata', ({ fixture, adapter }) => {
  test('files from before 1970 keep their time in a copy and in a folder that is copied', async () => {
    const { disk, storage } = await fixture({ old: 'A', folder: { old: 'B' } })
    for (const name of ['old', 'folder/old', 'folder'])
      utimesSync(join(disk, name), new Date(), new Date(beforeEpochMs))
    await storage.apply({ kind: 'copy', path: p('/old'), to: p('/copy'), ...create })
    await storage.apply({ kind: 'copy', path: p('/folder'), to: p('/folder copy'), ...create })
    await storage.apply({
      kind: 'write',
      path: p('/sent'),
      body: bodyOf('x'),
      ...create,
      modifiedMs: beforeEpochMs,
    })
    const times = ['copy', 'folder copy', 'folder copy/old', 'sent'].map(
      (name) => statSync(join(disk, name)).mtimeMs,
    )
    expect(times).toEqual([beforeEpochMs, beforeEpochMs, beforeEpochMs, beforeEpochMs])
  })

  test.runIf(adapter.name === 'posix, kernel calls')(
    'a sparse file is copied with its holes and its end',
    async () => {
      const { disk, storage } = await fixture({})
      const file = await open(join(disk, 'sparse'), 'w')
      await file.write('middle', 4 * 1024 * 1024)
      await file.truncate(64 * 1024 * 1024)
      await file.close()
      await storage.apply({ kind: 'copy', path: p('/sparse'), to: p('/copy'), ...create })
      const [source, copy] = ['sparse', 'copy'].map((name) => statSync(join(disk, name)))
      expect(copy?.size).toBe(64 * 1024 * 1024)
      expect(copy?.blocks).toBe(source?.blocks)
      expect(readFileSync(join(disk, 'copy')).equals(readFileSync(join(disk, 'sparse')))).toBe(true)
      truncateSync(join(disk, 'sparse'), 0)
      await storage.apply({ kind: 'copy', path: p('/sparse'), to: p('/copy'), ...upsert })
      expect(statSync(join(disk, 'copy')).size).toBe(0)
    },
  )

  test.runIf(adapter.name === 'posix, kernel calls' && loaded !== null)(
    'extended attributes are kept by a save, a copy and a copied folder',
    async () => {
      const { disk, storage } = await fixture({ a: 'A', folder: { b: 'B' } })
      for (const name of ['a', 'folder', 'folder/b'])
        setAttribute(join(disk, name), 'user.tag', `tag of ${name}`)
      await storage.apply({ kind: 'write', path: p('/a'), body: bodyOf('new'), ...upsert })
      await storage.apply({ kind: 'copy', path: p('/a'), to: p('/copy'), ...create })
      await storage.apply({ kind: 'copy', path: p('/folder'), to: p('/folder copy'), ...create })
      const tags = ['a', 'copy', 'folder copy', 'folder copy/b'].map((name) =>
        attributeOf(join(disk, name), 'user.tag'),
      )
      expect(tags).toEqual(['tag of a', 'tag of a', 'tag of folder', 'tag of folder/b'])
    },
  )

  test('a save tells that the other names of a file keep the old content', async () => {
    const { disk, storage } = await fixture({ a: 'old' })
    linkSync(join(disk, 'a'), join(disk, 'b'))
    const saved = await storage.apply({ kind: 'write', path: p('/a'), body: bodyOf('new'), ...upsert })
    expect([treeOf(disk), lossesOf(saved)]).toEqual([{ a: 'new', b: 'old' }, ['other-names a']])
    expect(
      lossesOf(await storage.apply({ kind: 'write', path: p('/a'), body: bodyOf('newer'), ...upsert })),
    ).toEqual([])
  })

  test.runIf(canRun('mkfifo', '--version'))('a copied folder tells which pipes it left out', async () => {
    const { disk, storage } = await fixture({ folder: { a: 'A', sub: {} } })
    execFileSync('mkfifo', [join(disk, 'folder/sub/pipe')])
    const copied = await storage.apply({ kind: 'copy', path: p('/folder'), to: p('/copy'), ...create })
    expect(treeOf(join(disk, 'copy'))).toEqual({ a: 'A', sub: {} })
    expect(lossesOf(copied)).toEqual(['special /folder/sub/pipe'])
  })

  describe.runIf(isRoot && canMount())('on another disk', () => {
    test('a moved folder keeps times before 1970, holes, owners and permission bits', async () => {
      const { disk, storage } = await fixture({ folder: { old: 'A', sub: { b: 'B' } } })
      if (mountDisk(join(disk, 'other')) === null) return
      utimesSync(join(disk, 'folder/old'), new Date(), new Date(beforeEpochMs))
      chownSync(join(disk, 'folder/sub/b'), 1234, 2345)
      chmodSync(join(disk, 'folder/sub/b'), 0o4750)
      await storage.apply({ kind: 'move', path: p('/folder'), to: p('/other/moved'), ...create })
      expect(treeOf(disk)).toEqual({ other: { moved: { old: 'A', sub: { b: 'B' } } } })
      const { uid, gid, mode } = statSync(join(disk, 'other/moved/sub/b'))
      expect([uid, gid, mode & 0o7777]).toEqual([1234, 2345, 0o4750])
      expect(statSync(join(disk, 'other/moved/old')).mtimeMs).toBe(beforeEpochMs)
    })

    test('a move out of a read-only disk is refused and leaves no copy behind', async () => {
      const { disk, storage } = await fixture({})
      const other = mountDisk(join(disk, 'other'))
      if (other === null) return
      mkdirSync(join(disk, 'other/folder'))
      await storage.apply({ kind: 'write', path: p('/other/a'), body: bodyOf('A'), ...create })
      other.remount('ro')
      execFileSync('mount', ['-o', 'remount,bind,ro', join(disk, 'other')])
      for (const name of ['a', 'folder'])
        expect(
          await refusalCode(
            storage.apply({ kind: 'move', path: p(`/other/${name}`), to: p(`/${name}`), ...create }),
          ),
        ).toBe('forbidden')
      expect(treeOf(disk)).toEqual({ other: { a: 'A', folder: {} } })
    })
  })
})
