import { withinTime } from '../concurrency/within-time.ts'
import type { SessionRecord, SessionStore } from '../records/session-store.ts'
import { isUnableToStore } from './unable-to-store.ts'

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
      if (isUnableToStore(error)) return false
      throw error
    } finally {
      running.delete(id)
    }
  }

  return async (session, until) => {
    if (running.has(session.id)) return session
    const isStored = await withinTime(store(session, until), waitMs)
    return isStored === true ? { ...session, ...until } : session
  }
}
