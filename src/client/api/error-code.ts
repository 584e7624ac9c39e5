import { errorCodes, type ErrorCode } from '../../shared/domain/failure.ts'

/** Returns the value of the header `X-Error` if it is a known error code, otherwise null. */
export const parseErrorCode = (value: string | null): ErrorCode | null =>
  errorCodes.find((code) => code === value) ?? null

/** Returns the text of the header `X-Refusal-Reason`, or null when there is none. */
export const parseRefusalReason = (value: string | null): string | null => value && decodeURIComponent(value)

/** Returns the error code of a status, for servers that send no error code, such as File Browser. */
export function codeOfStatus(status: number): ErrorCode {
  return codes[status] ?? 'internal'
}

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'bad-request',
  401: 'not-signed-in',
  403: 'forbidden',
  404: 'not-found',
  409: 'name-taken',
  413: 'too-large',
  422: 'undecodable',
  423: 'busy',
  429: 'too-many-tries',
  503: 'unavailable',
  504: 'timeout',
  507: 'no-space',
}
