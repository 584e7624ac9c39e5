import { randomBytes } from 'node:crypto'
import { createSessionEnds } from '../../src/server/auth/session-ends.ts'
import { createSessionToucher } from '../../src/server/auth/session-touch.ts'
import { openSession, type OpenedSession, type SessionDependencies } from '../../src/server/auth/sessions.ts'
import { createTickets } from '../../src/server/auth/tickets.ts'
import { createTokenReader } from '../../src/server/auth/tokens.ts'
import { openRecords } from '../../src/server/records/open-records.ts'
import type { ServerRecords } from '../../src/server/records/port.ts'
import type { TestClock } from './records.ts'
import type { RunningServer } from './run-server.ts'

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

/** The name that the browser of the tests sends for itself. */
const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36'

/** Opens a session of a user in the records of a running server, as a login does, but without a password. */
export async function openSessionOn({ database }: RunningServer, name: string): Promise<OpenedSession> {
  const records = await openRecords({ database, nowMs: Date.now, ifMissing: 'refuse' })
  try {
    const [user, key] = await Promise.all([records.users.findByName(name), records.settings.key()])
    if (user === null || key === null) throw new Error(`nobody is called ${name}, or the server has no key`)
    return await openSession(sessionDependenciesOf(records, { nowMs: Date.now, key }), user, {
      address: '127.0.0.1',
      agent,
    })
  } finally {
    await records.close()
  }
}
