import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTree } from '../../../test/kit/tree.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import type { Storage } from '../storage/port.ts'
import type { StorageChange, ChangeAuthor } from './change.ts'
import { withAnnouncements } from './with-announcements.ts'

const author: ChangeAuthor = {
  call: 'resources.transfer',
  userId: 1,
  username: 'ann',
  scope: root,
  storedScope: '.',
  origin: null,
}

test('a parent folder that was below a file, until another program removed the file, is announced', async () => {
  const folder = temporaryFolder()
  await makeTree(folder, { blocker: 'a file', 'a.txt': 'A' })
  const volume = createPosixVolume({ root: folder, pool: sharedStorageThreads() })
  const blockedVolume: Storage = {
    ...volume,
    async move(from, to, options) {
      await rm(join(folder, 'blocker'))
      return volume.move(from, to, options)
    },
  }
  const changes: StorageChange[] = []
  const storage = withAnnouncements(blockedVolume, {
    announce: (change) => void changes.push(change),
    settled: async () => {},
    findHooks: async () => ({ before: null, after: null }),
    recheck: async () => {},
    author,
    nowMs: Date.now,
  })
  await storage.move('/a.txt' as Path, '/blocker/new/a.txt' as Path, { overwrite: 'create' })
  expect(changes.map(({ kind, path, to }) => [kind, path, to])).toEqual([
    ['created', '/blocker/new', undefined],
    ['moved', '/a.txt', '/blocker/new/a.txt'],
  ])
  await volume.close()
})
