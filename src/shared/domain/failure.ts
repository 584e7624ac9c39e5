/** The codes of everything that can go wrong. `shared/contract/errors.ts` assigns a status to each. */
export type ErrorCode =
  | 'aborted'
  | 'bad-name'
  | 'bad-range'
  | 'bad-request'
  | 'busy'
  | 'changed-meanwhile'
  | 'corrupt'
  | 'cross-volume'
  | 'encoded-body'
  | 'forbidden'
  | 'internal'
  | 'into-itself'
  | 'is-a-folder'
  | 'link-loop'
  | 'login-failed'
  | 'method-not-allowed'
  | 'name-taken'
  | 'no-space'
  | 'not-a-folder'
  | 'not-empty'
  | 'not-found'
  | 'not-signed-in'
  | 'overloaded'
  | 'timeout'
  | 'too-large'
  | 'too-many-tries'
  | 'truncated'
  | 'unavailable'
  | 'undecodable'
  | 'unsupported'
  | 'wrong-media-type'
  | 'wrong-offset'
  | 'wrong-password'

export type FailureOptions = ErrorOptions & {
  /** One sentence that the caller may read. It never holds a path of the disk or a secret. */
  readonly reason?: string
  /** The time after which a retry makes sense, in whole seconds; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
}

/** A refusal or a fault that has a code of its own. Anything else that is thrown on the server counts as `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly reason: string | undefined
  readonly retryAfterSeconds: number | undefined
  constructor(code: ErrorCode, options: FailureOptions = {}) {
    super(options.reason === undefined ? code : `${code}: ${options.reason}`, options)
    this.name = 'AppError'
    this.code = code
    this.reason = options.reason
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Returns the code of anything thrown: its own, or `internal`. */
export const codeOf = (thrown: unknown): ErrorCode => (thrown instanceof AppError ? thrown.code : 'internal')
