import { callJson } from '../../api/call.ts'
import { config } from '../../api/config.ts'
import { href } from '../../api/href.ts'
import type { SendOutcome, UploadJob } from '../../state/upload-job.ts'
import type { UploadWatch } from '../../state/upload-queue.ts'
import { isTemporary, modifiedHeaderOf, sendOutcomeOf, sendBytes } from './send-bytes.ts'
import { sendInParts } from './send-in-parts.ts'
import { isReadable, untilReachable } from './until-reachable.ts'

/** Files of at least this many bytes are sent in parts, so that a lost connection loses only the part in flight. */
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
    if (!isTemporary(response)) {
      const outcome = sendOutcomeOf(response)
      const isOwn = outcome === 'taken' && attempt > 0 && (await isStored(job, watch.signal))
      return isOwn ? 'done' : outcome
    }
    if (file !== null && !(await isReadable(file))) return { fault: 'changed-meanwhile' }
    watch.onWait()
    await untilReachable(attempt, watch.signal)
  }
}

/**
 * Returns true when the server has stored the file at an earlier attempt whose response was lost. In this case, the
 * user must not be asked about a conflict with their own upload. Files without a time of their own are compared by
 * their size.
 */
async function isStored({ path, file }: UploadJob, signal: AbortSignal): Promise<boolean> {
  if (file === null) return false
  const stored = await callJson('resources.get', { path, signal }).catch(() => null)
  const hasTime = file instanceof File && file.lastModified > 0
  return (
    stored !== null &&
    !stored.isDir &&
    stored.size === file.size &&
    (!hasTime || Math.abs(Date.parse(stored.modified) - file.lastModified) < timeToleranceMs)
  )
}

/** Some file systems store times in whole seconds. */
const timeToleranceMs = 2000

const urlOf = ({ path, file, overwrite }: UploadJob): string =>
  href('resources.create', {
    path,
    isFolder: file === null,
    query: file === null ? {} : { override: overwrite },
  })
