import { randomBytes } from 'node:crypto'
import { createSessionEnds } from '../../src/server/auth/session-ends.ts'
import { createSessionToucher } from '../../src/server/auth/session-touch.ts'
import type { SessionDependencies } from '../../src/server/auth/sessions.ts'
import { createTickets } from '../../src/server/auth/tickets.ts'
import { createTokenReader } from '../../src/server/auth/tokens.ts'
import type { ServerRecords } from '../../src/server/records/port.ts'
import type { TestClock } from './records.ts'

type SessionTestOptions = Pick<TestClock, 'nowMs'> &
  Partial<Pick<SessionDependencies, 'key' | 'lifetimeMs' | 'acceptsTokensBeforeMs'>>

/** Creates the dependencies of sessions from records. By default, sessions last two hours. */
export function sessionDependenciesOf(
  { users, sessions, tickets }: Pick<ServerRecords, 'users' | 'sessions' | 'tickets'>,
  {
    nowMs,
    key = new Uint8Array(64).fill(3),
    lifetimeMs = 2 * 3_600_000,
    acceptsTokensBeforeMs = null,
  }: SessionTestOptions,
): SessionDependencies {
  return {
    users,
    sessions,
    touch: createSessionToucher(sessions),
    ends: createSessionEnds(),
    tickets: createTickets({ tickets, nowMs, randomBytes }),
    key,
    readToken: createTokenReader(key),
    acceptsTokensBeforeMs,
    lifetimeMs,
    nowMs,
    randomBytes,
  }
}
