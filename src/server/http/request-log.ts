import { AppError } from '../../shared/domain/failure.ts'

/**
 * A failed request. Its path is percent-encoded and does not include the base path and the query, so it contains
 * neither a token nor a line break.
 */
export type FailedRequest = {
  readonly atMs: number
  readonly path: string
  readonly status: number
  readonly address: string
  readonly requestId: string
  readonly thrown: unknown
}

/** Logs a failed request. The request id is missing for malformed HTTP. */
export type FailureLogger = (
  failed: Omit<FailedRequest, 'atMs' | 'requestId'> & { readonly requestId?: string },
) => void

/** Formats the log line of a failed request. Existing log filters expect this text format (contract 1.4). */
export function requestFailureLine(format: 'text' | 'json', failed: FailedRequest): string {
  const text = errorText(failed.thrown)
  const error = text === null ? null : shorten(text)
  if (format === 'json') {
    const { atMs, status, address, requestId } = failed
    const path = shorten(failed.path)
    return JSON.stringify({ time: new Date(atMs).toISOString(), path, status, address, requestId, error })
  }
  const details =
    failed.status >= 500 && error !== null ? `[${failed.requestId}] ${error}` : (error ?? '<nil>')
  const line = `${formatLogTime(failed.atMs)} ${shorten(failed.path)}: ${failed.status} ${failed.address} ${details}`
  return escapeControls(line)
}

/** Shortens a path or an error to 4096 characters. A valid path has at most 4096 bytes, and a stack trace less. */
const shorten = (text: string): string => (text.length > 4096 ? `${text.slice(0, 4096)}...` : text)

/**
 * Returns the reason of an `AppError` or of its cause, and the stack trace of an internal or unknown error. Returns
 * null when the error has neither a reason nor a cause.
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
  const date = new Date(atMs)
  const day = `${date.getFullYear()}/${twoDigits(date.getMonth() + 1)}/${twoDigits(date.getDate())}`
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`
}

const twoDigits = (n: number): string => String(n).padStart(2, '0')

/** Escapes all characters that could end a line or control a terminal. */
export const escapeControls = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (c) =>
    c === '\n' ? '\\n' : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
