import { STATUS_CODES } from 'node:http'
import {
  errorHeader,
  errorStatus,
  minimumLengthHeader,
  permissionHeader,
  receivedHostHeader,
  refusalReasonHeader,
  refusedHeader,
} from '../../../shared/contract/errors.ts'
import { AppError, codeOf, type ErrorCode } from '../../../shared/domain/failure.ts'
import { apiHeaders, textType } from './headers.ts'

/** The status, headers and text of the response to a failed request. */
export type FailureResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Returns the one-line text for a status, which is the same as in File Browser (contract 1.4). */
export const statusText = (status: number): string => `${status} ${phraseOf(status)}\n`

const phraseOf = (status: number): string =>
  status === 499 ? 'Client Closed Request' : (STATUS_CODES[status] ?? 'Unknown')

/** The request that has failed. */
export type FailedCall = {
  readonly requestId: string
  /** True for a user. Guests and strangers do not receive what a hook has printed. */
  readonly isSignedIn: boolean
}

/**
 * Converts a thrown value to a response. The reason of the error is only sent with the statuses 400 and 507, and to users for
 * the refusal of a hook. For an unknown error, the response contains only the request id, under which the log contains the
 * details.
 */
export function failureResponse(error: unknown, { requestId, isSignedIn }: FailedCall): FailureResponse {
  const code = codeOf(error)
  const status = errorStatus[code]
  const refusal =
    isSignedIn && code === 'refused-by-hook' && error instanceof AppError ? error.reason : undefined
  return {
    status,
    headers: {
      ...apiHeaders,
      'content-type': textType,
      [errorHeader]: code,
      ...(code === 'internal' ? { 'x-request-id': requestId } : {}),
      ...(error instanceof AppError ? detailHeaders(error) : {}),
      ...(refusal === undefined ? {} : { [refusalReasonHeader]: encodeURIComponent(refusal) }),
      ...(error instanceof FailureWithHeaders ? error.headers : {}),
    },
    text: textWithReason(
      status,
      (status === 400 || status === 507) && error instanceof AppError ? error.reason : refusal,
    ),
  }
}

const textWithReason = (status: number, reason: string | undefined): string =>
  reason === undefined ? statusText(status) : `${status} ${phraseOf(status)} (${oneLine(reason)})\n`

/** Returns the headers with the facts that a client needs in order to say what is wrong, or when to retry. */
const detailHeaders = (error: AppError): Readonly<Record<string, string>> => ({
  ...(error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }),
  ...(error.permission === undefined ? {} : { [permissionHeader]: error.permission }),
  ...(error.refused === undefined ? {} : { [refusedHeader]: error.refused }),
  ...(error.minimumLength === undefined ? {} : { [minimumLengthHeader]: String(error.minimumLength) }),
  ...(error.receivedHost === undefined ? {} : { [receivedHostHeader]: error.receivedHost }),
})

/** A failure whose response contains additional headers, such as `Allow` or `Content-Range`. */
export class FailureWithHeaders extends AppError {
  readonly headers: Readonly<Record<string, string>>
  constructor(code: ErrorCode, headers: Readonly<Record<string, string>>) {
    super(code)
    this.headers = headers
  }
}

const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f]+/g, ' ')
