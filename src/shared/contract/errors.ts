import type { ErrorCode } from '../domain/failure.ts'

/** The HTTP status of each error code. All endpoints use the same status for the same code. */
export const errorStatus: Readonly<Record<ErrorCode, number>> = {
  aborted: 499,
  'bad-name': 400,
  'bad-range': 416,
  'bad-request': 400,
  'broken-link': 404,
  busy: 423,
  'changed-meanwhile': 412,
  corrupt: 500,
  'cross-volume': 409,
  'cut-off': 422,
  'encoded-body': 415,
  encrypted: 422,
  forbidden: 403,
  'foreign-origin': 403,
  internal: 500,
  'into-itself': 400,
  'is-a-folder': 409,
  'link-loop': 409,
  'login-failed': 403,
  'method-not-allowed': 405,
  'name-taken': 409,
  'no-space': 507,
  'not-a-folder': 404,
  'not-empty': 409,
  'not-found': 404,
  'not-signed-in': 401,
  'over-quota': 507,
  overloaded: 503,
  'refused-by-hook': 500,
  timeout: 504,
  'too-large': 413,
  'too-many-files': 507,
  'too-many-tries': 429,
  truncated: 400,
  unavailable: 503,
  undecodable: 422,
  'unknown-host': 403,
  unsupported: 501,
  'wrong-media-type': 415,
  'wrong-offset': 409,
  'wrong-password': 400,
}

/**
 * The response header that contains the error code. The body of a response with this header is the one-line text that
 * File Browser sends, with the reason in parentheses for the statuses 400 and 507, and for the refusal of a hook that a user receives.
 */
export const errorHeader = 'x-error'

/** The header of a refusal that names the permission which the user lacks, such as `delete`. */
export const permissionHeader = 'x-permission'

/**
 * The header of a refusal by a hook. It contains the reason that the program printed, encoded as a part of a URL. Guests do not
 * receive it, because the reason may contain the free name under which their file was to be stored.
 */
export const refusalReasonHeader = 'x-refusal-reason'

/** The header of a response with status 400 that names the refused value, such as `rules`. */
export const refusedHeader = 'x-refused'

/** The header of a refusal of a value that is too short. It contains the minimum length in characters. */
export const minimumLengthHeader = 'x-minimum-length'

/**
 * The header of a refusal because of the origin or the host. It contains the address at which the server received the
 * request, without the scheme, so that the page can name it beside its own address.
 */
export const receivedHostHeader = 'x-received-host'

/** The failures of a call that stores bytes: the disk is full, or the quota of the user, or a program of the administrator refuses. */
export const storingFailures: readonly ErrorCode[] = ['no-space', 'over-quota', 'refused-by-hook']

/** The failures that can occur when the folder of a new user is created. */
export const homeFailures: readonly ErrorCode[] = [
  'forbidden',
  'not-a-folder',
  'link-loop',
  'busy',
  'timeout',
  ...storingFailures,
]
