import { expect, test } from 'vitest'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTree } from '../../../test/kit/tree.ts'
import type { Path } from '../../shared/domain/path.ts'
import { createPosixVolume } from './posix/volume.ts'
import { isMissing, statOrNull } from './stat-or-null.ts'

async function volumeWithFile() {
  const folder = temporaryFolder()
  await makeTree(folder, { 'a.txt': 'A' })
  return createPosixVolume({ root: folder, pool: sharedStorageThreads() })
}

test.each([
  ['an entry', '/a.txt', 'a.txt'],
  ['a missing name', '/none', null],
  ['a name in a missing folder', '/none/below', null],
  ['a name below a file', '/a.txt/below', null],
])('statOrNull returns the entry or null for %s', async (_case, path, name) => {
  const volume = await volumeWithFile()
  expect((await statOrNull(volume, path as Path))?.name ?? null).toBe(name)
  expect(await isMissing(volume, path as Path)).toBe(name === null)
  await volume.close()
})

test.each(['/a.txt', '/none'])(
  'the denied path %s is refused by statOrNull and counts as existing',
  async (path) => {
    const volume = await volumeWithFile()
    const denied = await volume.narrow({ permits: () => false })
    await expect(statOrNull(denied, path as Path)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await isMissing(denied, path as Path)).toBe(false)
    await volume.close()
  },
)
