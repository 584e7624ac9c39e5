import { permissions } from '../../../shared/domain/access.ts'
import type { ErrorCode } from '../../../shared/domain/failure.ts'
import { routes, type RouteName } from '../../../shared/contract/routes.ts'
import { tabHeaders } from '../../api/call.ts'
import { codeOfStatus, parseErrorCode, parseRefusalReason } from '../../api/error-code.ts'
import { renewSession } from '../../api/renewal.ts'
import { expireSession, tokenOf } from '../../state/session.ts'
import type { SendOutcome } from '../../state/upload-job.ts'
import type { UploadWatch } from '../../state/upload-queue.ts'

/** The response to a request that sent bytes. Status 0 means that the connection was lost. */
export type SentResponse = {
  readonly status: number
  readonly header: (name: string) => string | null
}

export type BytesToSend = {
  readonly name: RouteName
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Blob | null
}

/**
 * Sends bytes with XMLHttpRequest, because `fetch` does not report how much has been sent. XMLHttpRequest can also read
 * a response that arrives before the whole body has been sent (status 403, 409, 507). Rejects with the signal's reason
 * when the request was aborted.
 */
export function sendBytes(
  { name, url, headers = {}, body }: BytesToSend,
  { signal, onProgress }: Pick<UploadWatch, 'signal' | 'onProgress'>,
): Promise<SentResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const token = tokenOf()
    const settle = (): void =>
      resolve({ status: request.status, header: (header) => request.getResponseHeader(header) })
    request.open(routes[name].method, url)
    for (const [header, value] of Object.entries({ ...tabHeaders(token), ...headers }))
      request.setRequestHeader(header, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      if (request.getResponseHeader('x-renew-token') === 'true') void renewSession()
      if (request.status === 401) expireSession(token)
      settle()
    })
    // The server also closes the connection when the session ends during an upload. The renewal detects that and
    // pauses the queue.
    request.addEventListener('error', () => void renewSession().then(settle))
    request.addEventListener('abort', () => reject(signal.reason as Error))
    const abort = (): void => request.abort()
    signal.addEventListener('abort', abort)
    // The signal outlives the request: a large file is sent in thousands of requests.
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    if (signal.aborted) return reject(signal.reason as Error)
    request.send(body)
  })
}

const codeOf = ({ status, header }: SentResponse): ErrorCode =>
  parseErrorCode(header('x-error')) ?? codeOfStatus(status)

/**
 * Returns true when the same request may succeed later: there was no response, a proxy could not reach the server, or
 * the server is not ready. The response of a proxy has no error code.
 */
export const isTemporary = (response: SentResponse): boolean =>
  [0, 502].includes(response.status) ||
  ([503, 504].includes(response.status) &&
    (response.header('x-error') === null || ['unavailable', 'overloaded'].includes(codeOf(response))))

export function sendOutcomeOf(response: SentResponse): SendOutcome {
  if (response.status >= 200 && response.status < 300) return 'done'
  const code = codeOf(response)
  if (code === 'name-taken') return 'taken'
  const lacked = response.header('x-permission')
  return {
    fault: code,
    permission: permissions.find((name) => name === lacked) ?? null,
    refusal: parseRefusalReason(response.header('x-refusal-reason')),
  }
}

/** Returns the header with which an uploaded file keeps its modification time. */
export const modifiedHeaderOf = (file: Blob | null): Readonly<Record<string, string>> =>
  file instanceof File && file.lastModified !== 0
    ? { 'X-Modified-Ms': String(Math.trunc(file.lastModified)) }
    : {}
