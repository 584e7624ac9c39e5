import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { causeOf } from '../../../test/kit/change-cause.ts'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { applyInstead } from '../../../test/kit/changed-storage.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTree } from '../../../test/kit/tree.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { withPolicies } from '../storage/policy.ts'
import type { Storage } from '../storage/port.ts'
import type { StorageChange, ChangeAuthor } from './change.ts'
import { announcementPolicy } from './announcement-policy.ts'

const author: ChangeAuthor = {
  cause: causeOf('resources.transfer'),
  userId: 1,
  username: 'ann',
  scope: root,
  storedScope: '.',
}

/** Returns a storage whose changes are announced, and the list of the announcements. */
function announced(volume: Storage) {
  const changes: StorageChange[] = []
  const policy = announcementPolicy({
    announce: async (change) => void changes.push(change),
    findHooks: async () => ({ before: null, after: null }),
    recheck: async () => {},
    author,
    nowMs: Date.now,
  })
  return { storage: withPolicies(volume, [policy]), changes }
}

test('a parent folder that was below a file, until another program removed the file, is announced', async () => {
  const folder = temporaryFolder()
  await makeTree(folder, { blocker: 'a file', 'a.txt': 'A' })
  const volume = createPosixVolume({ root: folder, pool: sharedStorageThreads() })
  const blockedVolume: Storage = {
    ...volume,
    apply: applyInstead(volume, {
      async move(change) {
        await rm(join(folder, 'blocker'))
        return volume.apply(change)
      },
    }),
  }
  const { storage, changes } = announced(blockedVolume)
  await storage.apply({
    kind: 'move',
    path: '/a.txt' as Path,
    to: '/blocker/new/a.txt' as Path,
    overwrite: 'create',
  })
  expect(changes.map(({ kind, path, to }) => [kind, path, to])).toEqual([
    ['created', '/blocker', undefined],
    ['created', '/blocker/new', undefined],
    ['moved', '/a.txt', '/blocker/new/a.txt'],
  ])
  await volume.close()
})

test('an announcement says what the change has left behind: the new version and the replaced one', async () => {
  const folder = temporaryFolder()
  await makeTree(folder, { 'a.txt': 'new', 'b.txt': 'older' })
  const volume = createPosixVolume({ root: folder, pool: sharedStorageThreads() })
  const { storage, changes } = announced(volume)
  const [a, b, c] = ['/a.txt', '/b.txt', '/c/c.txt'] as Path[] as [Path, Path, Path]
  const [before, old] = [await storage.stat(a), await storage.stat(b)]
  for (const kind of ['copy', 'move'] as const)
    await storage.apply({ kind, path: a, to: b, overwrite: 'upsert' })
  const moved = await storage.stat(b)
  await storage.apply({ kind: 'write', path: b, body: bodyOf('newest'), overwrite: 'upsert' })
  await storage.apply({ kind: 'copy', path: b, to: c, overwrite: 'create' })
  await storage.apply({ kind: 'remove', path: b, recursive: false })
  // A folder whose time is set is not a new one, for which shares of an earlier entry would end.
  const made = '/c' as Path
  await storage.apply({
    kind: 'setFolderTime',
    path: made,
    modifiedMs: 0,
    ifMatch: (await storage.stat(made)).etag,
  })
  expect(changes.map(({ kind, replaced, madeFolders }) => [kind, replaced?.sizeBytes, madeFolders])).toEqual([
    ['copied', 5, undefined],
    ['moved', 3, undefined],
    ['written', 3, undefined],
    ['created', undefined, undefined],
    ['copied', undefined, ['/c']],
    ['removed', undefined, undefined],
    ['written', undefined, undefined],
  ])
  const [copied, movedAway, written] = changes
  expect(copied?.replaced).toEqual({ etag: old.etag, sizeBytes: 5 })
  expect(movedAway?.replaced?.etag).toBe(copied?.etag)
  expect([movedAway?.etag, written?.replaced?.etag]).toEqual([moved.etag, moved.etag])
  expect(before.etag).not.toBe(moved.etag)
  expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length)
  await volume.close()
})

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
