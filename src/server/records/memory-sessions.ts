import { codeOf } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { ServerRecords, SessionRecord, SessionStore, User } from './port.ts'

/** A session that could not be stored, with the digests of its tokens and of its cookie. */
type MemorySession = {
  session: SessionRecord
  readonly cookieDigest: string
  /** The time at which each token expires, by the digest of its `jti`. */
  readonly tokens: Map<string, number>
  /** The name and the hash of the password when the session began. A change of either ends the session. */
  readonly identity: string
}

/** Maximum number of sessions in memory. A full disk is an exception, so few users log in before it is mended. */
const maxSessions = 1000

/** Maximum number of tokens of a session in memory. A client renews its token about once an hour. */
const maxTokens = 100

/**
 * Wraps records so that a user can log in while the disk of the database is full, for example to delete something. A
 * session that cannot be stored is kept in memory, and ends at the latest with this process. Sessions that are stored
 * are not affected.
 */
export function withMemorySessions(records: ServerRecords, nowMs: () => number): ServerRecords {
  const memory = new Map<string, MemorySession>()
  let changes = 0
  const { users, sessions, version } = records

  function keep(session: Parameters<SessionStore['add']>[0], user: User): readonly string[] {
    const { cookieDigest, token, ...record } = session
    changes += 1
    const own = [...memory.values()].filter((kept) => kept.session.userId === user.id)
    const [oldest] =
      own.length >= limits.sessionsPerUser ? own : memory.size >= maxSessions ? memory.values() : []
    if (oldest !== undefined) memory.delete(oldest.session.id)
    const tokens = new Map([[token.jtiDigest, token.expiresAtMs]])
    memory.set(record.id, { session: record, cookieDigest, tokens, identity: identityOf(user) })
    return oldest === undefined ? [] : [oldest.session.id]
  }

  /** Returns the session if its user has not changed, and forgets it otherwise and after its absolute end. */
  async function checked(kept: MemorySession | undefined): Promise<SessionRecord | null> {
    if (kept === undefined) return null
    const user = await users.find(kept.session.userId)
    const isLiving = user !== null && !user.isDisabled && identityOf(user) === kept.identity
    if (isLiving && kept.session.endsAtMs > nowMs()) return kept.session
    forget(kept.session.id)
    return null
  }

  function forget(id: string): void {
    if (memory.delete(id)) changes += 1
  }

  const findKept = (matches: (kept: MemorySession) => boolean): Promise<SessionRecord | null> =>
    memory.size === 0 ? Promise.resolve(null) : checked([...memory.values()].find(matches))
  const findKeptByJti = (digest: string) => findKept(({ tokens }) => tokens.has(digest))
  const unlessIdle = (session: SessionRecord | null): SessionRecord | null =>
    session !== null && session.idleUntilMs > nowMs() ? session : null

  async function keptIds(ids: readonly string[], mayBeIdle: boolean): Promise<readonly string[]> {
    const found = await Promise.all(ids.filter((id) => memory.has(id)).map((id) => checked(memory.get(id))))
    return found.flatMap((session) => (mayBeIdle ? session : unlessIdle(session))?.id ?? [])
  }

  const withMemory: SessionStore = {
    ...sessions,
    async add(session) {
      try {
        return await sessions.add(session)
      } catch (error) {
        const user = codeOf(error) === 'no-space' ? await users.find(session.userId) : null
        if (user === null) throw error
        return keep(session, user)
      }
    },
    async addToken(sessionId, token) {
      const kept = memory.get(sessionId)
      if (kept === undefined) return sessions.addToken(sessionId, token)
      kept.tokens.set(token.jtiDigest, token.expiresAtMs)
      for (const [digest] of kept.tokens) if (kept.tokens.size > maxTokens) kept.tokens.delete(digest)
    },
    findByJti: async (digest) => unlessIdle(await findKeptByJti(digest)) ?? sessions.findByJti(digest),
    findUnendedByJti: async (digest) => (await findKeptByJti(digest)) ?? sessions.findUnendedByJti(digest),
    findByCookie: async (digest) =>
      unlessIdle(await findKept(({ cookieDigest }) => cookieDigest === digest)) ??
      sessions.findByCookie(digest),
    async listOf(userId) {
      const ids = [...memory.values()].filter(({ session }) => session.userId === userId)
      const kept = await Promise.all(ids.map(checked))
      return [
        ...kept.filter((session) => unlessIdle(session) !== null).flatMap((session) => session ?? []),
        ...(await sessions.listOf(userId)),
      ]
    },
    unended: async (ids) => new Set([...(await keptIds(ids, true)), ...(await sessions.unended(ids))]),
    active: async (ids) => new Set([...(await keptIds(ids, false)), ...(await sessions.active(ids))]),
    async touch(id, until) {
      const kept = memory.get(id)
      if (kept === undefined) return sessions.touch(id, until)
      kept.session = { ...kept.session, ...until }
      changes += 1
    },
    async end(id) {
      if (memory.has(id)) forget(id)
      else await sessions.end(id)
    },
    async endAllOf(userId, exceptId) {
      const kept = [...memory.values()].filter(
        ({ session }) => session.userId === userId && session.id !== exceptId,
      )
      for (const { session } of kept) forget(session.id)
      return [...kept.map(({ session }) => session.id), ...(await sessions.endAllOf(userId, exceptId))]
    },
  }
  return { ...records, sessions: withMemory, version: version && (() => version() + changes) }
}

const identityOf = ({ username, passwordHash }: User): string => `${username}\0${passwordHash}`
