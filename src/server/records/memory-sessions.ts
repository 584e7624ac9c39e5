import { codeOf } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { ServerRecords } from './port.ts'
import type { SessionRecord, SessionStore, SessionToken } from './session-store.ts'
import type { User, UserStore } from './user-store.ts'

/** A session that could not be stored, with the digests of its tokens and of its cookie. */
type MemorySession = {
  session: SessionRecord
  readonly cookieDigest: string
  /** The digests of the `jti` of its tokens, the oldest first. */
  readonly tokens: Set<string>
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
  const { users, sessions, version } = records
  const memory = createSessionMemory(users, nowMs)
  return {
    ...records,
    sessions: { ...sessions, ...readsOf(memory, sessions), ...writesOf(memory, sessions, users) },
    version: version && (() => version() + memory.changes()),
  }
}

type SessionMemory = ReturnType<typeof createSessionMemory>

function createSessionMemory(users: Pick<UserStore, 'find'>, nowMs: () => number) {
  const kept = new Map<string, MemorySession>()
  let changes = 0

  function forget(id: string): void {
    if (kept.delete(id)) changes += 1
  }

  /** Returns the session if its user has not changed. Forgets it otherwise, and after its absolute end. */
  async function check({ session, identity }: MemorySession): Promise<SessionRecord[]> {
    const user = await users.find(session.userId)
    const isUnended =
      user !== null && !user.isDisabled && identityOf(user) === identity && session.endsAtMs > nowMs()
    if (!isUnended) forget(session.id)
    return isUnended ? [session] : []
  }

  return {
    kept,
    forget,
    /** Returns the unended sessions that match, also those that were idle for too long. */
    find: async (matches: (session: MemorySession) => boolean): Promise<SessionRecord[]> =>
      (await Promise.all([...kept.values()].filter(matches).map(check))).flat(),
    isActive: ({ idleUntilMs }: SessionRecord): boolean => idleUntilMs > nowMs(),
    noteChange: (): void => void (changes += 1),
    /** A number that grows with each change, so that caches notice it. */
    changes: () => changes,
  }
}

const readsOf = (memory: SessionMemory, sessions: SessionStore) => ({
  async findByJti(digest: string) {
    const found = (await memory.find(({ tokens }) => tokens.has(digest))).find(memory.isActive)
    return found ?? sessions.findByJti(digest)
  },
  async findUnendedByJti(digest: string) {
    const [found] = await memory.find(({ tokens }) => tokens.has(digest))
    return found ?? sessions.findUnendedByJti(digest)
  },
  async findByCookie(digest: string) {
    const found = (await memory.find(({ cookieDigest }) => cookieDigest === digest)).find(memory.isActive)
    return found ?? sessions.findByCookie(digest)
  },
  async listOf(userId: number) {
    const own = await memory.find(({ session }) => session.userId === userId)
    return [...own.filter(memory.isActive), ...(await sessions.listOf(userId))]
  },
  async count() {
    const kept = await memory.find(() => true)
    return kept.filter(memory.isActive).length + (await sessions.count())
  },
  async unended(ids: readonly string[]) {
    const found = await memory.find(({ session }) => ids.includes(session.id))
    return new Set([...found.map(({ id }) => id), ...(await sessions.unended(ids))])
  },
  async active(ids: readonly string[]) {
    const found = (await memory.find(({ session }) => ids.includes(session.id))).filter(memory.isActive)
    return new Set([...found.map(({ id }) => id), ...(await sessions.active(ids))])
  },
})

const writesOf = (memory: SessionMemory, sessions: SessionStore, users: Pick<UserStore, 'find'>) => ({
  async add(session: Parameters<SessionStore['add']>[0]) {
    try {
      return await sessions.add(session)
    } catch (error) {
      const user = codeOf(error) === 'no-space' ? await users.find(session.userId) : null
      if (user === null) throw error
      return keep(memory, session, user)
    }
  },
  async addToken(sessionId: string, token: SessionToken) {
    const tokens = memory.kept.get(sessionId)?.tokens
    if (tokens === undefined) return sessions.addToken(sessionId, token)
    tokens.add(token.jtiDigest)
    for (const oldest of tokens) if (tokens.size > maxTokens) tokens.delete(oldest)
  },
  async touch(id: string, until: Parameters<SessionStore['touch']>[1]) {
    const kept = memory.kept.get(id)
    if (kept === undefined) return sessions.touch(id, until)
    kept.session = { ...kept.session, ...until }
    memory.noteChange()
  },
  async end(id: string) {
    if (memory.kept.has(id)) memory.forget(id)
    else await sessions.end(id)
  },
  async endAllOf(userId: number, exceptId?: string) {
    const own = await memory.find(({ session }) => session.userId === userId && session.id !== exceptId)
    for (const { id } of own) memory.forget(id)
    return [...own.map(({ id }) => id), ...(await sessions.endAllOf(userId, exceptId))]
  },
})

/** Keeps a session in memory. Returns the id of the session that had to make room for it, if there is one. */
function keep(memory: SessionMemory, session: Parameters<SessionStore['add']>[0], user: User): string[] {
  const { cookieDigest, token, ...record } = session
  const all = [...memory.kept.values()]
  const own = all.filter((kept) => kept.session.userId === user.id)
  const crowded = own.length >= limits.sessionsPerUser ? own : all.length >= maxSessions ? all : []
  const ended = crowded.slice(0, 1).map((oldest) => oldest.session.id)
  ended.forEach(memory.forget)
  const tokens = new Set([token.jtiDigest])
  memory.kept.set(record.id, { session: record, cookieDigest, tokens, identity: identityOf(user) })
  memory.noteChange()
  return ended
}

const identityOf = ({ username, passwordHash }: User): string => `${username}\0${passwordHash}`
