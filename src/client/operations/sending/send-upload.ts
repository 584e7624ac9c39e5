import { config } from '../../api/config.ts'
import { href } from '../../api/href.ts'
import type { SendOutcome, UploadJob } from '../../state/upload-job.ts'
import type { UploadWatch } from '../../state/upload-queue.ts'
import { isTemporary, modifiedHeaderOf, sendOutcomeOf, sendBytes } from './send-bytes.ts'
import { sendInParts } from './send-in-parts.ts'
import { isReadable, untilReachable } from './until-reachable.ts'

/** Files of at least this many bytes are sent in parts, so that a lost connection costs only what was on its way. */
const minPartedBytes = 1024 * 1024

/**
 * Sends one upload. After a lost connection, and while the server is restarting, the upload waits and is sent again: a
 * large file from where it was, a small file from its beginning.
 */
export async function sendUpload(job: UploadJob, watch: UploadWatch): Promise<SendOutcome> {
  const { file } = job
  const parts = config().TusSettings
  if (file !== null && file.size >= minPartedBytes && parts !== undefined)
    return sendInParts({ job, file, partBytes: Math.max(parts.chunkSize, minPartedBytes) }, watch)
  for (let attempt = 0; ; attempt += 1) {
    const response = await sendBytes(
      { name: 'resources.create', url: urlOf(job), headers: modifiedHeaderOf(file), body: file },
      watch,
    )
    if (!isTemporary(response)) return sendOutcomeOf(response)
    if (file !== null && !(await isReadable(file))) return { fault: 'changed-meanwhile' }
    watch.onWait()
    await untilReachable(attempt, watch.signal)
  }
}

const urlOf = ({ path, file, overwrite }: UploadJob): string =>
  href('resources.create', {
    path,
    isFolder: file === null,
    query: file === null ? {} : { override: overwrite },
  })
