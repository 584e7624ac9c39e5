import { expect, onTestFinished, test } from 'vitest'
import { bareCallerFactory } from '../../../test/kit/bare-caller-factory.ts'
import { causeOf } from '../../../test/kit/change-cause.ts'
import { testRecords, userFields } from '../../../test/kit/records.ts'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTree } from '../../../test/kit/tree.ts'
import { noPermissions } from '../../shared/domain/access.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import type { SessionRecord } from '../records/session-store.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import type { Storage } from '../storage/port.ts'
import type { ActorStorage } from './caller.ts'

async function storageWith(download: boolean): Promise<ActorStorage> {
  const folder = temporaryFolder()
  await makeTree(folder, { docs: { note: 'text' } })
  const volume = createPosixVolume({ root: folder, pool: sharedStorageThreads() })
  onTestFinished(() => volume.close())
  const { users } = await testRecords()
  const user = await users.add(userFields({ username: 'ann', perm: { ...noPermissions, download } }))
  const { callerFor } = await bareCallerFactory({ volume }).admit({ user, session: {} as SessionRecord })
  return callerFor(causeOf('resources.get')).storage
}

const note = '/note' as Path

/** Everything that returns the content of a file, or what is computed from it. */
const reads: readonly (readonly [string, (storage: Storage) => Promise<unknown>])[] = [
  ['open', async (storage) => (await storage.open(note)).close()],
  ['readTree', async (storage) => storage.readTree(root)[Symbol.asyncIterator]().next()],
  ['checksum', (storage) => storage.checksum(note, { algorithm: 'md5' })],
]

test.each(reads)('who may not download holds a storage without %s', async (_name, read) => {
  const docs = { at: '/docs' as Path }
  const refused = await (await storageWith(false)).narrow(docs)
  await expect(read(refused)).rejects.toMatchObject({ code: 'forbidden', permission: 'download' })
  await expect(read(await (await storageWith(true)).narrow(docs))).resolves.not.toThrow()
})

test('the parts of an operation that is recorded as one are refused as well, and the type of a file is not', async () => {
  const storage = await storageWith(false)
  const path = '/docs/note' as Path
  const opening = storage.asOne({ action: 'extract', path }, async (part) => part.open(path))
  await expect(opening).rejects.toMatchObject({ code: 'forbidden', permission: 'download' })
  expect(String(await storage.headOf(path))).toBe('text')
})
