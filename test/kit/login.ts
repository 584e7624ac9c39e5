import { randomBytes } from 'node:crypto'
import { createSessionEnds } from '../../src/server/auth/session-ends.ts'
import type { SessionDependencies } from '../../src/server/auth/sessions.ts'
import { createTickets } from '../../src/server/auth/tickets.ts'
import { createTokenReader } from '../../src/server/auth/tokens.ts'
import type { Records } from '../../src/server/records/port.ts'
import type { Clock } from './records.ts'

/** Creates the dependencies of sessions from records. Sessions last two hours. */
export function sessionNeedsOn(
  { users, sessions }: Pick<Records, 'users' | 'sessions'>,
  { nowMs }: Clock,
): SessionDependencies {
  const key = new Uint8Array(64).fill(3)
  return {
    users,
    sessions,
    ends: createSessionEnds(),
    tickets: createTickets({ nowMs, randomBytes }),
    key,
    readToken: createTokenReader(key),
    lifetimeMs: 2 * 3_600_000,
    nowMs,
    randomBytes,
  }
}
