import { expect, test } from 'vitest'
import { causeOf } from '../../../test/kit/change-cause.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTree } from '../../../test/kit/tree.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { withPolicies } from '../storage/policy.ts'
import { createAnnouncer } from './announcer.ts'
import type { ChangeAuthor } from './change.ts'
import { announcementPolicy } from './announcement-policy.ts'

const author: ChangeAuthor = {
  cause: causeOf('resources.remove'),
  userId: 1,
  username: 'ann',
  scope: root,
  storedScope: '.',
}

const recheck = async (): Promise<void> => {}

/** Creates a storage that announces its changes. `faults` collects the errors that listeners throw. */
async function createAnnouncedStorage() {
  const faults: unknown[] = []
  const { announce, findHooks, subscribe } = createAnnouncer((error) => void faults.push(error))
  const folder = temporaryFolder()
  await makeTree(folder, { 'a.txt': 'A' })
  const volume = createPosixVolume({ root: folder, pool: sharedStorageThreads() })
  const policy = announcementPolicy({ announce, findHooks, recheck, author, nowMs: Date.now })
  const storage = withPolicies(volume, [policy])
  return { storage, subscribe, faults, close: () => volume.close() }
}

test('a change is complete when its listeners have finished their work', async () => {
  const { storage, subscribe, close } = await createAnnouncedStorage()
  const steps: string[] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  subscribe(async ({ kind }) => {
    steps.push(kind)
    await gate
    steps.push('worked')
  })
  const removing = storage
    .apply({ kind: 'remove', path: '/a.txt' as Path, recursive: false })
    .then(() => steps.push('done'))
  await expect.poll(() => steps).toEqual(['removed'])
  open()
  await removing
  expect(steps).toEqual(['removed', 'worked', 'done'])
  await close()
})

test('a listener whose work fails neither delays the change nor reverts it', async () => {
  const { storage, subscribe, faults, close } = await createAnnouncedStorage()
  subscribe(() => Promise.reject(new Error('no room')))
  await storage.apply({ kind: 'remove', path: '/a.txt' as Path, recursive: false })
  expect(faults).toEqual([new Error('no room')])
  await close()
})
