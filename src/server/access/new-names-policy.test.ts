import { expect, test } from 'vitest'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTree } from '../../../test/kit/tree.ts'
import type { Path } from '../../shared/domain/path.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { newNamesPolicy } from './new-names-policy.ts'
import { withPolicies } from '../storage/policy.ts'

test.each([
  ['in a folder', '/new\u0007'],
  ['in a missing folder', '/none/new\u0007'],
  ['below a file', '/a.txt/new\u0007'],
])('a new name with control characters is refused %s', async (_case, path) => {
  const folder = temporaryFolder()
  await makeTree(folder, { 'a.txt': 'A' })
  const volume = createPosixVolume({ root: folder, pool: sharedStorageThreads() })
  const making = withPolicies(volume, [newNamesPolicy]).apply({
    kind: 'makeFolder',
    path: path as Path,
    parents: true,
  })
  await expect(making).rejects.toMatchObject({ code: 'bad-name' })
  await volume.close()
})

test('an existing entry whose name has control characters can be renamed', async () => {
  const folder = temporaryFolder()
  await makeTree(folder, { 'old\u0007': 'A' })
  const volume = createPosixVolume({ root: folder, pool: sharedStorageThreads() })
  const storage = withPolicies(volume, [newNamesPolicy])
  await storage.apply({ kind: 'move', path: '/old\u0007' as Path, to: '/plain' as Path, overwrite: 'create' })
  expect((await storage.stat('/plain' as Path)).name).toBe('plain')
  await volume.close()
})
