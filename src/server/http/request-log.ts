import { AppError } from '../../shared/domain/failure.ts'

/** One request that failed. The path is undecoded, without base path and query: no token, no break of a line can be in it. */
export type FailedRequest = {
  readonly atMs: number
  readonly path: string
  readonly status: number
  readonly address: string
  readonly requestId: string
  readonly thrown: unknown
}

/** Logs a failed request; where there was no more than a connection, without an id. */
export type LogFailure = (
  failed: Omit<FailedRequest, 'atMs' | 'requestId'> & { readonly requestId?: string },
) => void

/** The line of a failed request; as text in the shape that people's log filters read (contract 1.4). */
export function failureLine(format: 'text' | 'json', failed: FailedRequest): string {
  const error = errorText(failed.thrown)
  if (format === 'json') {
    const { atMs, status, address, requestId } = failed
    const path = shortened(failed.path)
    return JSON.stringify({ time: new Date(atMs).toISOString(), path, status, address, requestId, error })
  }
  const told = failed.status >= 500 && error !== null ? `[${failed.requestId}] ${error}` : (error ?? '<nil>')
  const line = `${stamp(failed.atMs)} ${shortened(failed.path)}: ${failed.status} ${failed.address} ${told}`
  return escapeControls(line)
}

/** A path of any use is shorter than this. */
const shortened = (path: string): string => (path.length > 4096 ? `${path.slice(0, 4096)}...` : path)

/** The reason of our own failures; of unknown ones all that is known, on one line. */
function errorText(thrown: unknown): string | null {
  if (thrown instanceof AppError) {
    const cause = thrown.cause instanceof Error ? thrown.cause.message : null
    return thrown.code === 'internal' ? (thrown.stack ?? null) : (thrown.reason ?? cause)
  }
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}

/** A time as the log shows it. */
export function stamp(atMs: number): string {
  const at = new Date(atMs)
  const day = `${at.getFullYear()}/${two(at.getMonth() + 1)}/${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

const two = (n: number): string => String(n).padStart(2, '0')

/** Anything that could end a line or move a terminal's cursor, spelled out. */
export const escapeControls = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (c) =>
    c === '\n' ? '\\n' : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
