import { expect, test } from 'vitest'
import type { Path } from '../../../shared/domain/path.ts'
import { jobOfUpload, type UploadState } from '../../state/upload-job.ts'
import { incomingUploadsOf } from './use-incoming-uploads.ts'

const job = (path: string, state: UploadState) => ({
  ...jobOfUpload(
    { target: '/Inbox' as Path, path: path as Path, name: 'name', file: null, overwrite: false },
    { id: 1, run: 1 },
  ),
  state,
})

test.each([
  [
    'a file in the folder',
    { phase: 'uploading', jobs: [job('/Inbox/Album/a.txt', 'queued')] },
    '/Inbox/Album',
    'uploading',
  ],
  [
    'a file deeper in the folder',
    { phase: 'uploading', jobs: [job('/Inbox/Album/a.txt', 'uploading')] },
    '/Inbox',
    'uploading',
  ],
  [
    'a file beside the folder',
    { phase: 'uploading', jobs: [job('/Inbox/Album 2/a.txt', 'queued')] },
    '/Inbox/Album',
    null,
  ],
  [
    'the folder itself',
    { phase: 'uploading', jobs: [job('/Inbox/Album', 'uploading')] },
    '/Inbox/Album',
    null,
  ],
  [
    'an uploaded file',
    { phase: 'uploading', jobs: [job('/Inbox/Album/a.txt', 'done')] },
    '/Inbox/Album',
    null,
  ],
  [
    'a paused file while others are sent',
    { phase: 'uploading', jobs: [job('/Inbox/a.txt', 'paused')] },
    '/Inbox',
    'pending',
  ],
  [
    'a file that waits for the connection',
    { phase: 'waiting', jobs: [job('/Inbox/a.txt', 'uploading')] },
    '/Inbox',
    'pending',
  ],
  [
    'a file whose name is taken',
    { phase: 'deciding', jobs: [job('/Inbox/a.txt', 'conflict')] },
    '/Inbox',
    'pending',
  ],
] as const)('the uploads into an open folder: %s', (_case, summary, folder, expected) => {
  expect(incomingUploadsOf(summary, folder as Path)).toBe(expected)
})
