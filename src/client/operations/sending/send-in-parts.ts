import { href } from '../../api/href.ts'
import type { SendOutcome, UploadJob } from '../../state/upload-job.ts'
import { cancelledByUser, type UploadWatch } from '../../state/upload-queue.ts'
import { isTemporary, modifiedHeaderOf, sendOutcomeOf, sendBytes, type SentResponse } from './send-bytes.ts'
import { isReadable, untilReachable } from './until-reachable.ts'

/** The media type of a part, which the server requires (contract 4). */
const partMediaType = 'application/offset+octet-stream'

type PartedUpload = {
  readonly job: UploadJob
  readonly file: Blob
  /** The number of bytes in each part but the last. */
  readonly partBytes: number
}

/**
 * The files whose upload the server has begun. A later attempt asks the server where to continue: after a pause, after a
 * new login of the same user, and after a failure.
 */
const begunFiles = new WeakSet<Blob>()

/**
 * Uploads a file in parts (contract 4). After a lost connection, the upload waits and continues after the bytes that
 * the server has stored. When the user cancels the upload, the server discards them.
 */
export async function sendInParts(upload: PartedUpload, watch: UploadWatch): Promise<SendOutcome> {
  const { file } = upload
  let failures = 0
  try {
    for (;;) {
      const step = await nextStep(upload, watch, () => (failures = 0))
      if (step !== 'wait') return step
      if (!(await isReadable(file))) return { fault: 'changed-meanwhile' }
      watch.onWait()
      await untilReachable(failures, watch.signal)
      failures += 1
    }
  } catch (thrown) {
    if (watch.signal.reason === cancelledByUser) discardUpload(upload.job)
    throw thrown
  }
}

/**
 * Sends parts until the upload is complete, fails, or has to wait for the server. `onStored` is called after each part,
 * because the time to wait after a lost connection grows only while nothing arrives.
 */
async function nextStep(
  upload: PartedUpload,
  watch: UploadWatch,
  onStored: () => void,
): Promise<SendOutcome | 'wait'> {
  const { file, partBytes } = upload
  let offset = await offsetOf(upload, watch)
  while (typeof offset === 'number') {
    if (offset >= file.size) return 'done'
    offset = await sendPart(upload, { from: offset, end: Math.min(offset + partBytes, file.size) }, watch)
    if (typeof offset === 'number') onStored()
  }
  return offset
}

/** Returns the number of bytes that the server has. Begins the upload when the server does not know it. */
async function offsetOf(upload: PartedUpload, watch: UploadWatch): Promise<number | SendOutcome | 'wait'> {
  const { job, file } = upload
  if (begunFiles.has(file)) {
    const shown = await sendBytes({ name: 'tus.show', url: urlOf(upload), body: null }, watch)
    const offset = offsetIn(shown)
    if (offset !== null) return offset
    if (isTemporary(shown)) return 'wait'
    begunFiles.delete(file)
  }
  const begun = await sendBytes(
    {
      name: 'tus.begin',
      url: href('tus.begin', { path: job.path, query: { override: String(job.overwrite) } }),
      headers: { 'Upload-Length': String(file.size), ...modifiedHeaderOf(file) },
      body: null,
    },
    watch,
  )
  if (isTemporary(begun)) return 'wait'
  if (begun.status !== 201) return sendOutcomeOf(begun)
  begunFiles.add(file)
  return 0
}

async function sendPart(
  upload: PartedUpload,
  { from, end }: { readonly from: number; readonly end: number },
  { signal, onProgress }: UploadWatch,
): Promise<number | SendOutcome | 'wait'> {
  const sent = await sendBytes(
    {
      name: 'tus.continue',
      url: urlOf(upload),
      headers: { 'Content-Type': partMediaType, 'Upload-Offset': String(from) },
      body: upload.file.slice(from, end),
    },
    { signal, onProgress: (sentBytes) => onProgress(from + sentBytes) },
  )
  if (sent.status === 204) return offsetIn(sent) ?? end
  // The server has stored another number of bytes than the client believes, so the client asks again.
  if (isTemporary(sent) || sent.header('x-error') === 'wrong-offset') return 'wait'
  return sendOutcomeOf(sent)
}

function offsetIn({ status, header }: SentResponse): number | null {
  const text = header('upload-offset')
  return status >= 200 && status < 300 && text !== null ? Number(text) : null
}

/** Removes what the server has stored of an upload that is not complete. */
export function discardUpload(job: UploadJob): void {
  if (job.file === null || !begunFiles.delete(job.file)) return
  void sendBytes(
    { name: 'tus.abort', url: urlOf({ job }), body: null },
    { signal: new AbortController().signal, onProgress: () => undefined },
  )
}

const urlOf = ({ job: { path } }: Pick<PartedUpload, 'job'>): string => href('tus.continue', { path })
