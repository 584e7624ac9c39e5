import { routes } from '../../../../shared/contract/routes.ts'
import type { ErrorCode } from '../../../../shared/domain/failure.ts'
import { childOf } from '../../../../shared/domain/path.ts'
import { codeOfStatus, parseErrorCode } from '../../../api/error-code.ts'
import { href } from '../../../api/href.ts'
import type { SharePath } from '../share-address.ts'

/** The name and the note that a guest enters for the files, and the data by which the server admits the guest. */
export type DropDetails = { readonly guest: string; readonly note: string }

/** A file that is sent to the folder of an upload-only link. */
export type FileToSend = DropDetails & {
  /** The path of the link. */
  readonly link: SharePath
  readonly token: string | undefined
  readonly file: File
  /** An id that stays the same when the file is sent again, so that the server stores it once. */
  readonly uploadId: string
}

/** The result of one attempt. `wait`: the same request may succeed later. */
export type SendResult = 'done' | 'wait' | { readonly fault: ErrorCode }

export type SendWatch = { readonly signal: AbortSignal; readonly onProgress: (sentBytes: number) => void }

/**
 * Sends a file with XMLHttpRequest, because `fetch` does not report how much has been sent. Unlike the uploads of users,
 * it neither sends nor renews a session. Rejects with the signal's reason when the request was aborted.
 */
export function sendFile(
  { link, token, file, uploadId, guest, note }: FileToSend,
  { signal, onProgress }: SendWatch,
): Promise<SendResult> {
  const path = childOf(link, file.name)
  if (path === null) return Promise.resolve({ fault: 'bad-name' })
  const headers = {
    'X-Upload-Id': uploadId,
    ...(guest !== '' && { 'X-Guest-Name': headerOf(guest) }),
    ...(note !== '' && { 'X-Guest-Note': headerOf(note) }),
    ...(file.lastModified !== 0 && { 'X-Modified-Ms': String(Math.trunc(file.lastModified)) }),
  }
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(routes['public.drop'].method, href('public.drop', { path, query: { token } }))
    for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () =>
      resolve(resultOf(request.status, request.getResponseHeader('x-error'))),
    )
    request.addEventListener('error', () => resolve('wait'))
    request.addEventListener('abort', () => reject(signal.reason as Error))
    if (signal.aborted) return reject(signal.reason as Error)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

/** Returns a text as a header value, without the control characters that the server refuses. */
const headerOf = (text: string): string =>
  encodeURIComponent(text.toWellFormed().replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, ''))

/** The error codes after which the same request may succeed. A response of a proxy has no error code. */
const temporary: readonly (ErrorCode | null)[] = [null, 'busy', 'overloaded', 'too-many-tries', 'unavailable']

/** Returns the result of a response. */
export function resultOf(status: number, errorHeader: string | null): SendResult {
  if (status >= 200 && status < 300) return 'done'
  const code = parseErrorCode(errorHeader)
  if ([423, 429, 502, 503, 504].includes(status) && temporary.includes(code)) return 'wait'
  return { fault: code ?? codeOfStatus(status) }
}
