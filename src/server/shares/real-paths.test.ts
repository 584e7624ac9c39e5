import { expect, onTestFinished, test } from 'vitest'
import { shareFields, testRecords, userFields } from '../../../test/kit/records.ts'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTree } from '../../../test/kit/tree.ts'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { correctSharedPlaces, createRealPaths } from './real-paths.ts'

const at = (text: string): Path => pathOf(text) ?? root

async function world() {
  const disk = temporaryFolder()
  await makeTree(disk, { docs: { sub: { 'a.txt': 'x' } }, link: { link: 'docs' }, round: { link: 'round' } })
  const volume = createPosixVolume({ root: disk, pool: sharedStorageThreads() })
  onTestFinished(() => volume.close())
  let lookups = 0
  let nowMs = 0
  const counted = {
    realPath: (folder: Path) => {
      lookups += 1
      return volume.realPath(folder)
    },
  }
  const realPaths = createRealPaths({ volume: counted, nowMs: () => nowMs })
  return { realPaths, volume, lookups: () => lookups, pass: (ms: number) => void (nowMs += ms) }
}

test('links before the last name of a path are resolved, and the path is unchanged when that fails', async () => {
  const { realPaths } = await world()
  const found = ['/', '/link', '/link/sub', '/link/sub/new', '/gone/a', '/round/a', '/docs/sub/a.txt/b']
  expect(await Promise.all(found.map((path) => realPaths.of(at(path))))).toEqual([
    '/',
    '/link',
    '/docs/sub',
    '/docs/sub/new',
    '/gone/a',
    '/round/a',
    '/docs/sub/a.txt/b',
  ])
})

test('a folder is looked up once a second, and again after the cache was cleared', async () => {
  const { realPaths, lookups, pass } = await world()
  await Promise.all(['/link/a', '/link/b'].map((path) => realPaths.of(at(path))))
  pass(999)
  await realPaths.of(at('/link/c'))
  expect(lookups()).toBe(1)
  pass(1)
  await realPaths.of(at('/link/c'))
  expect(lookups()).toBe(2)
  realPaths.clearCache()
  await realPaths.of(at('/link/c'))
  expect(lookups()).toBe(3)
})

test('shares stored with a path through a link are corrected to the real path', async () => {
  const { realPaths, volume } = await world()
  const { users, shares } = await testRecords()
  const { id: userId } = await users.add(userFields({ username: 'ann' }))
  for (const path of ['/link/sub', '/docs/sub', '/gone/a'])
    await shares.add(shareFields({ userId, hash: path, path: at(path) }))
  await correctSharedPlaces({ shares, realPaths, disks: volume.localDisk })
  const kept = await shares.list()
  expect(new Set(kept.map(({ hash, path }) => `${hash} at ${path}`))).toEqual(
    new Set(['/link/sub at /docs/sub', '/docs/sub at /docs/sub', '/gone/a at /gone/a']),
  )
})
