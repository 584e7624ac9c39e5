import { DatabaseError } from 'pg'
import { AppError } from '../../../shared/domain/failure.ts'

/**
 * Returns true for an error after which a connection must not be used again, because the connection is closed or
 * because the response to an earlier query may still arrive.
 */
export const isConnectionLost = (thrown: unknown): boolean =>
  !(thrown instanceof DatabaseError) || lostStates.test(thrown.code ?? '')

/**
 * SQLSTATE codes of errors after which a connection is closed (PostgreSQL manual, appendix A): connection errors, a
 * shutdown, timeouts of transactions and sessions.
 */
const lostStates = /^(08|57P|25P0[34])/

/**
 * SQLSTATE codes of errors after which the server is temporarily unable to run a statement: too many connections, too
 * little memory, a lock or statement that took too long, a standby server.
 */
const busyStates = /^(08|53|57|25P0[34]|40001|40P01|55P03|25006)/

/** The reasons for errors that an administrator can fix, by SQLSTATE code. */
const refusalReasons: Readonly<Record<string, (message: string) => string>> = {
  '28P01': (message) => `the database server refuses to log in: ${message}`,
  '28000': (message) => `the database server refuses to log in: ${message}`,
  '3D000': (message) => `${message}; create the database with createdb`,
  '42501': (message) => `the database user lacks a permission: ${message}`,
  '3F000': (message) => `the database has no schema for tables: ${message}`,
}

/**
 * Converts an error of `pg` into an `AppError`: `unsupported` for a malformed URL, `unavailable` with a reason of one
 * line when the server cannot be reached, refuses the login or cannot run the statement, and `bad-request` for a string
 * that the server does not accept. Other errors of statements are returned unchanged.
 */
export function explainPostgresError(thrown: unknown): unknown {
  if (thrown instanceof AppError || !(thrown instanceof Error)) return thrown
  if ('code' in thrown && thrown.code === 'ERR_INVALID_URL')
    return new AppError('unsupported', {
      reason: 'the database URL must have the form postgres://user@host/name',
    })
  if (!(thrown instanceof DatabaseError)) return unavailable(thrown, reasonOf(thrown))
  const state = thrown.code ?? ''
  const refusal = refusalReasons[state]
  if (refusal !== undefined) return unavailable(thrown, refusal(thrown.message))
  if (state === '22021') return new AppError('bad-request', { cause: thrown })
  if (busyStates.test(state))
    return unavailable(thrown, `the database server cannot serve: ${thrown.message}`)
  return thrown
}

const unavailable = (cause: Error, reason: string): AppError =>
  new AppError('unavailable', { cause, reason, retryAfterSeconds: 1 })

/**
 * Returns the reason without the URL of the database, because the URL may contain a password. When the connections to
 * several IP addresses of one host name have failed, the first error is reported.
 */
function reasonOf(thrown: Error): string {
  if (/password/i.test(thrown.message)) return 'the database server requires a password'
  const first: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown
  return `the database server cannot be reached (${first instanceof Error ? first.message : 'unknown'})`
}
