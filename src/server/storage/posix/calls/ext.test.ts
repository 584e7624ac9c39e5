import { closeSync, openSync, statSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { mayMountImages, memoryDisk, poweredDisk } from '../../../../../test/kit/mounts.ts'
import { opening } from './descriptors.ts'
import { extOf } from './ext.ts'

const diskBytes = 8 * 1024 * 1024
const makers = {
  'ext with a journal': () => poweredDisk(diskBytes, { hasJournal: true }),
  'ext without one': () => poweredDisk(diskBytes, { hasJournal: false }),
  memory: () => memoryDisk('size=1m'),
}

test.skipIf(!mayMountImages()).each([
  ['ext with a journal', 'journaled'],
  ['ext without one', 'bare'],
  ['memory', null],
] as const)('%s is told from others', (kind, ext) => {
  const disk = makers[kind]()
  if (disk === null) throw new Error('no file system may be mounted here')
  onTestFinished(() => disk.remove())
  const folder = openSync(disk.folder, opening.folderHandle)
  onTestFinished(() => closeSync(folder))
  expect(extOf(folder, statSync(disk.folder, { bigint: true }).dev)).toBe(ext)
})
