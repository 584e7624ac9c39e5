import type { Permission } from './access.ts'

/** All error codes. `shared/contract/errors.ts` assigns an HTTP status to each code. */
export const errorCodes = [
  'aborted',
  'bad-name',
  'bad-range',
  'bad-request',
  'broken-link',
  'busy',
  'changed-meanwhile',
  'corrupt',
  'cross-volume',
  'cut-off',
  'encoded-body',
  'encrypted',
  'forbidden',
  'foreign-origin',
  'internal',
  'into-itself',
  'is-a-folder',
  'link-loop',
  'login-failed',
  'method-not-allowed',
  'name-taken',
  'no-space',
  'not-a-folder',
  'not-empty',
  'not-found',
  'not-signed-in',
  'over-quota',
  'overloaded',
  'refused-by-hook',
  'timeout',
  'too-large',
  'too-many-files',
  'too-many-tries',
  'truncated',
  'unavailable',
  'undecodable',
  'unknown-host',
  'unsupported',
  'wrong-media-type',
  'wrong-offset',
  'wrong-password',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** The values of a request that the server refuses with a code of their own, so that a form can show the field. */
export const refusedValues = [
  'accent',
  'alias',
  'branding-folder',
  'downloads',
  'easy-password',
  'home-folder',
  'password',
  'report-url',
  'rules',
  'share-without-download',
  'short-password',
  'username',
] as const

export type RefusedValue = (typeof refusedValues)[number]

export type FailureOptions = ErrorOptions & {
  /** One sentence that the client may see. It never contains a path on disk or a secret. */
  readonly reason?: string
  /** The time in whole seconds after which the client should retry. It is sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** The permission that the caller lacks. It is sent as `X-Permission`. Rules are never sent. */
  readonly permission?: Permission
  /** The value that is refused. It is sent as `X-Refused`. */
  readonly refused?: RefusedValue
  /** The minimum length in characters that a refused value may have. It is sent as `X-Minimum-Length`. */
  readonly minimumLength?: number
  /** The value of `Host` with which a request arrived that is refused because of it. It is sent as `X-Received-Host`. */
  readonly receivedHost?: string
}

/**
 * An error with an error code. Any other value that is thrown on the server is treated as having the code `internal`.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly reason: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly permission: Permission | undefined
  readonly refused: RefusedValue | undefined
  readonly minimumLength: number | undefined
  readonly receivedHost: string | undefined
  constructor(code: ErrorCode, options: FailureOptions = {}) {
    super(options.reason === undefined ? code : `${code}: ${options.reason}`, options)
    this.name = 'AppError'
    this.code = code
    this.reason = options.reason
    this.retryAfterSeconds = options.retryAfterSeconds
    this.permission = options.permission
    this.refused = options.refused
    this.minimumLength = options.minimumLength
    this.receivedHost = options.receivedHost
  }
}

/** Returns the error code of a thrown value: the code of an `AppError`, and `internal` for any other value. */
export const codeOf = (thrown: unknown): ErrorCode => (thrown instanceof AppError ? thrown.code : 'internal')
