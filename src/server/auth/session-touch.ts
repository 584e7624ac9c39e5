import { codeOf } from '../../shared/domain/failure.ts'
import type { SessionRecord, SessionStore } from '../records/port.ts'

/**
 * Stores the last use of a session, and returns the session as it is stored then. When the records cannot be written, or
 * not soon, it returns the session as it was, and the request is served without the extension.
 */
export type SessionToucher = (session: SessionRecord, until: SessionUse) => Promise<SessionRecord>

type SessionUse = Parameters<SessionStore['touch']>[1]

/**
 * The time in milliseconds for which a request waits until the use of its session is stored. It usually takes some
 * milliseconds, and much longer only while another process keeps the database locked.
 */
const waitMs = 100

/** Creates the function that stores the last uses of sessions, at most one use of a session at a time. */
export function createSessionToucher(sessions: Pick<SessionStore, 'touch'>): SessionToucher {
  const running = new Set<string>()

  async function store({ id }: SessionRecord, until: SessionUse): Promise<boolean> {
    running.add(id)
    try {
      await sessions.touch(id, until)
      return true
    } catch (error) {
      if (isServerFailure(error)) return false
      throw error
    } finally {
      running.delete(id)
    }
  }

  return async (session, until) => {
    if (running.has(session.id)) return session
    const isStored = await withinTime(store(session, until))
    return isStored ? { ...session, ...until } : session
  }
}

/** Resolves with the result of a promise, or with false when it takes too long. */
async function withinTime(result: Promise<boolean>): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, waitMs, false)
  try {
    return await Promise.race([result, timeout])
  } finally {
    clearTimeout(timer)
  }
}

const isServerFailure = (error: unknown): boolean =>
  ['no-space', 'unavailable', 'overloaded'].includes(codeOf(error))
