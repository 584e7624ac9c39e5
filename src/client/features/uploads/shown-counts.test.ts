import { expect, test } from 'vitest'
import type { Path } from '../../../shared/domain/path.ts'
import { emptyTally, jobOfUpload, updateTally, type UploadState } from '../../state/upload-job.ts'
import { shownCountsOf } from './shown-counts.ts'

const job = (file: Blob | null) =>
  jobOfUpload(
    { target: '/' as Path, path: '/Album/name' as Path, name: 'name', file, overwrite: false },
    { id: 1, run: 1 },
  )

const tallyOf = (files: readonly UploadState[], folders: readonly UploadState[]) => {
  const jobs = [
    ...files.map((state) => ({ ...job(new Blob()), state })),
    ...folders.map((state) => ({ ...job(null), state })),
  ]
  return jobs.reduce((tally, added) => updateTally(tally, null, added), emptyTally)
}

test.each([
  ['only files beside empty folders', ['done', 'queued'], ['done', 'done'], ['files', 2, 1, 0, 0]],
  ['only folders where there are no files', [], ['done', 'done', 'failed'], ['folders', 3, 2, 0, 0]],
  [
    'the file that is cancelled with two folders',
    ['cancelled'],
    ['cancelled', 'cancelled'],
    ['files', 0, 0, 1, 0],
  ],
  ['a folder that is cancelled alone', ['done'], ['cancelled'], ['files', 1, 1, 1, 0]],
  ['skipped files', ['skipped', 'done'], [], ['files', 1, 1, 0, 1]],
] as const)('the texts about uploads count %s', (_case, files, folders, expected) => {
  const { unit, total, done, cancelled, skipped } = shownCountsOf(tallyOf(files, folders))
  expect([unit, total, done, cancelled, skipped]).toEqual(expected)
})

test('a folder that ends is counted once', () => {
  const { counts, folderCounts } = tallyOf([], ['queued'])
  const folder = job(null)
  const ended = updateTally({ ...emptyTally, counts, folderCounts }, folder, { ...folder, state: 'done' })
  expect([ended.folderCounts.queued, ended.folderCounts.done]).toEqual([0, 1])
})
