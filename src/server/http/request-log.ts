import { AppError } from '../../shared/domain/failure.ts'

/**
 * A failed request. Its path is not decoded and does not include the base path and the query, so it contains neither a
 * token nor a line break.
 */
export type FailedRequest = {
  readonly atMs: number
  readonly path: string
  readonly status: number
  readonly address: string
  readonly requestId: string
  readonly thrown: unknown
}

/** Logs a failed request. The request id is missing for text that is not a valid request. */
export type FailureLogger = (
  failed: Omit<FailedRequest, 'atMs' | 'requestId'> & { readonly requestId?: string },
) => void

/**
 * Formats the log line of a failed request. The text format is the one that existing log filters expect (contract 1.4).
 */
export function requestFailureLine(format: 'text' | 'json', failed: FailedRequest): string {
  const error = errorText(failed.thrown)
  if (format === 'json') {
    const { atMs, status, address, requestId } = failed
    const path = shortenPath(failed.path)
    return JSON.stringify({ time: new Date(atMs).toISOString(), path, status, address, requestId, error })
  }
  const details =
    failed.status >= 500 && error !== null ? `[${failed.requestId}] ${error}` : (error ?? '<nil>')
  const line = `${formatLogTime(failed.atMs)} ${shortenPath(failed.path)}: ${failed.status} ${failed.address} ${details}`
  return escapeControls(line)
}

/** Shortens a path to 4096 characters, the maximum length of a valid path in bytes. */
const shortenPath = (path: string): string => (path.length > 4096 ? `${path.slice(0, 4096)}...` : path)

/**
 * Returns the reason of an `AppError` or of its cause, and the stack trace of an internal or unknown error. Null when
 * there is neither.
 */
function errorText(thrown: unknown): string | null {
  if (thrown instanceof AppError) {
    const cause = thrown.cause instanceof Error ? thrown.cause.message : null
    return thrown.code === 'internal' ? (thrown.stack ?? null) : (thrown.reason ?? cause)
  }
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}

/** Formats a time for the log in the time zone of the server. */
export function formatLogTime(atMs: number): string {
  const at = new Date(atMs)
  const day = `${at.getFullYear()}/${twoDigits(at.getMonth() + 1)}/${twoDigits(at.getDate())}`
  return `${day} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}:${twoDigits(at.getSeconds())}`
}

const twoDigits = (n: number): string => String(n).padStart(2, '0')

/** Escapes all characters that could end a line or control a terminal. */
export const escapeControls = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (c) =>
    c === '\n' ? '\\n' : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
