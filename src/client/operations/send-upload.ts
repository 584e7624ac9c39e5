import type { ErrorCode } from '../../shared/domain/failure.ts'
import { ownHeaders } from '../api/call.ts'
import { href } from '../api/href.ts'
import { renewSoon } from '../api/renewal.ts'
import { endSession, tokenOf } from '../state/session.ts'
import type { SendOutcome, UploadJob } from '../state/upload-job.ts'
import { codeOfStatus } from './reason.ts'

type Watch = { readonly signal: AbortSignal; readonly onProgress: (sentBytes: number) => void }

/**
 * Sends one job. By XMLHttpRequest, because `fetch` does not tell how much has left; and it reads an answer that comes before
 * the body has been sent (403, 409, 507).
 */
export function sendUpload(job: UploadJob, { signal, onProgress }: Watch): Promise<SendOutcome> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const token = tokenOf()
    request.open('POST', addressOf(job))
    for (const [name, value] of Object.entries(ownHeaders(token))) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      if (request.getResponseHeader('x-renew-token') === 'true') renewSoon()
      if (request.status === 401) endSession('ended', token)
      resolve(outcomeOf(request))
    })
    request.addEventListener('error', () => resolve({ fault: 'offline' }))
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
  const code = (request.getResponseHeader('x-error') ?? codeOfStatus(request.status)) as ErrorCode
  return code === 'name-taken' ? 'taken' : { fault: code }
}
