import { AppError } from '../../shared/domain/failure.ts'
import { createSessionEnds } from '../auth/session-ends.ts'
import { createSessionToucher } from '../auth/session-touch.ts'
import type { SessionDependencies } from '../auth/sessions.ts'
import { createTickets } from '../auth/tickets.ts'
import { createTokenReader } from '../auth/tokens.ts'
import type { Config } from '../config/serving-options.ts'
import type { ServerRecords } from '../records/port.ts'
import type { ServerRuntime } from './server-runtime.ts'

/** The parts of the server from which the dependencies of sessions are made. */
type SessionModuleDependencies = {
  readonly config: Pick<Config, 'tokenExpirationTime'>
  readonly runtime: Pick<ServerRuntime, 'nowMs' | 'randomBytes'>
  readonly records: ServerRecords
}

/** Creates the dependencies of the functions for sessions. Throws `unavailable` when the database contains no key. */
export async function composeSessionDependencies({
  config,
  runtime: { nowMs, randomBytes },
  records,
}: SessionModuleDependencies): Promise<SessionDependencies> {
  const key = await records.settings.key()
  if (key === null) throw new AppError('unavailable', { reason: 'the database contains no key' })
  const takeover = await records.settings.takeover()
  return {
    users: records.users,
    sessions: records.sessions,
    touch: createSessionToucher(records.sessions),
    ends: createSessionEnds(),
    tickets: createTickets({ tickets: records.tickets, nowMs, randomBytes }),
    key,
    readToken: createTokenReader(key),
    acceptsTokensBeforeMs: takeover?.acceptsOldTokens === true ? takeover.atMs : null,
    lifetimeMs: config.tokenExpirationTime,
    nowMs,
    randomBytes,
  }
}
