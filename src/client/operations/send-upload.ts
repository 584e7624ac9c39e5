import { tabHeaders } from '../api/call.ts'
import { parseErrorCode } from '../api/error-code.ts'
import { href } from '../api/href.ts'
import { renewSession } from '../api/renewal.ts'
import { expireSession, tokenOf } from '../state/session.ts'
import type { SendOutcome, UploadJob } from '../state/upload-job.ts'
import { codeOfStatus } from './reason.ts'

type SendUploadOptions = { readonly signal: AbortSignal; readonly onProgress: (sentBytes: number) => void }

/**
 * Sends one upload with XMLHttpRequest, because `fetch` does not report how much has been sent. XMLHttpRequest can also
 * read a response that arrives before the whole body has been sent (status 403, 409, 507).
 */
export function sendUpload(job: UploadJob, { signal, onProgress }: SendUploadOptions): Promise<SendOutcome> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const token = tokenOf()
    request.open('POST', addressOf(job))
    for (const [name, value] of Object.entries(tabHeaders(token))) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      if (request.getResponseHeader('x-renew-token') === 'true') void renewSession()
      if (request.status === 401) expireSession(token)
      resolve(outcomeOf(request))
    })
    // The server also closes the connection when the session ends during an upload. The renewal detects that and
    // pauses the queue.
    request.addEventListener('error', () => void renewSession().then(() => resolve({ fault: 'offline' })))
    request.addEventListener('abort', () => resolve({ fault: 'aborted' }))
    signal.addEventListener('abort', () => request.abort())
    request.send(job.file)
  })
}

const addressOf = ({ path, file, overwrite }: UploadJob): string =>
  href('resources.create', {
    path,
    isFolder: file === null,
    query: file === null ? {} : { override: overwrite },
  })

function outcomeOf(request: XMLHttpRequest): SendOutcome {
  if (request.status >= 200 && request.status < 300) return 'done'
  const code = parseErrorCode(request.getResponseHeader('x-error')) ?? codeOfStatus(request.status)
  return code === 'name-taken' ? 'taken' : { fault: code }
}
