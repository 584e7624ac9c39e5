import { closeSync, openSync, statSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { canMountImages, memoryDisk, powerCutDisk } from '../../../../../test/kit/mounts.ts'
import { openFlags } from './descriptors.ts'
import { extKindOf } from './ext-journal.ts'

const diskBytes = 8 * 1024 * 1024
const makers = {
  'ext with a journal': () => powerCutDisk(diskBytes, { hasJournal: true }),
  'ext without one': () => powerCutDisk(diskBytes, { hasJournal: false }),
  memory: () => memoryDisk('size=1m'),
}

test.skipIf(!canMountImages()).each([
  ['ext with a journal', 'journaled'],
  ['ext without one', 'unjournaled'],
  ['memory', null],
] as const)('the variant of the file system is recognised: %s', (kind, ext) => {
  const disk = makers[kind]()
  if (disk === null) throw new Error('no file system may be mounted here')
  onTestFinished(() => disk.remove())
  const folder = openSync(disk.folder, openFlags.folderHandle)
  onTestFinished(() => closeSync(folder))
  expect(extKindOf(folder, statSync(disk.folder, { bigint: true }).dev)).toBe(ext)
})
