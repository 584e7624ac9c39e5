import { DatabaseError } from 'pg'
import { AppError } from '../../../shared/domain/failure.ts'

/** Whether nothing more may be asked over a connection: it is gone, or an answer to something else may still come. */
export const isConnectionLost = (thrown: unknown): boolean =>
  !(thrown instanceof DatabaseError) || lostStates.test(thrown.code ?? '')

/** Classes of states (the manual's appendix A): the connection, a shutdown. */
const lostStates = /^(08|57P|25P0[34])/

/** The server is there but cannot serve: too many connections, no memory, a lock or a statement that took too long, a standby. */
const busyStates = /^(08|53|57|25P0[34]|40001|40P01|55P03|25006)/

/** What a person can mend, by state. */
const refusals: Readonly<Record<string, (message: string) => string>> = {
  '28P01': (message) => `the database server refuses to log in: ${message}`,
  '28000': (message) => `the database server refuses to log in: ${message}`,
  '3D000': (message) => `${message}; the server's administrator makes one with createdb`,
  '42501': (message) => `the database server does not allow it: ${message}`,
  '3F000': (message) => `the database has no place for tables: ${message}`,
}

/**
 * What `pg` throws, in our words: `unavailable` with a reason of one line where the server could not be asked or did not let us in,
 * `bad-request` for text that it does not take. What it says of a statement is left as it is.
 */
export function postgresFailure(thrown: unknown): unknown {
  if (thrown instanceof AppError || !(thrown instanceof Error)) return thrown
  if ('code' in thrown && thrown.code === 'ERR_INVALID_URL')
    return new AppError('unsupported', {
      reason: 'the address of the database is none such as postgres://user@host/name',
    })
  if (!(thrown instanceof DatabaseError)) return unavailable(thrown, reasonOf(thrown))
  const state = thrown.code ?? ''
  const refusal = refusals[state]
  if (refusal !== undefined) return unavailable(thrown, refusal(thrown.message))
  if (state === '22021') return new AppError('bad-request', { cause: thrown })
  if (busyStates.test(state))
    return unavailable(thrown, `the database server cannot serve: ${thrown.message}`)
  return thrown
}

const unavailable = (cause: Error, reason: string): AppError =>
  new AppError('unavailable', { cause, reason, retryAfterSeconds: 1 })

/** Without the address: it may hold a password. Of several tries at one name the first is told. */
function reasonOf(thrown: Error): string {
  if (/password/i.test(thrown.message)) return 'the database server wants a password'
  const first: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown
  return `the database server cannot be reached (${first instanceof Error ? first.message : 'unknown'})`
}
