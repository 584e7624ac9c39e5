import type { Records, Session, Sessions, SettingsStore, Users } from '../port.ts'
import type { StateVersion } from './state-version.ts'

/** Nobody has so many users or sessions at work at once; beyond it everything is forgotten. */
const mostKept = 10_000

export type Keeping = { readonly version: StateVersion; readonly nowMs: () => number }

/**
 * Records that remember what every request asks for: the session, its user, the settings. It is good as long as nobody, no other
 * process either, has committed anything since; that is asked before each answer. What is not there is not remembered.
 */
export function withKeptReads(records: Records, { version, nowMs }: Keeping): Records {
  const keep = createKeep(version)
  return {
    ...records,
    users: withKeptUsers(records.users, keep),
    sessions: withKeptSessions(records.sessions, keep, nowMs),
    settings: withKeptSettings(records.settings, keep),
    async close() {
      version.close()
      await records.close()
    },
  }
}

/** Reads under a name, or gives what was read under it while nothing has changed. */
type Keep = <T extends object>(name: string, read: () => Promise<T | null>) => Promise<T | null>

function createKeep(version: StateVersion): Keep {
  const kept = new Map<string, object>()
  let keptFor = Number.NaN
  return async <T extends object>(name: string, read: () => Promise<T | null>): Promise<T | null> => {
    const asOf = version.now()
    if (asOf !== keptFor) {
      kept.clear()
      keptFor = asOf
    }
    const known = kept.get(name) as T | undefined
    if (known !== undefined) return known
    const found = await read()
    // Kept under the version from before the read: if something was committed meanwhile, the next one to ask reads again.
    if (found === null || keptFor !== asOf) return found
    if (kept.size >= mostKept) kept.clear()
    kept.set(name, found)
    return found
  }
}

const withKeptUsers = (users: Users, keep: Keep): Users => ({
  ...users,
  find: async (id) => keep(`user ${id}`, () => users.find(id)),
})

/** Time passes without a commit: a session that has become too old is not living any more. */
function withKeptSessions(sessions: Sessions, keep: Keep, nowMs: () => number): Sessions {
  const ifLiving = (session: Session | null): Session | null => {
    const atMs = nowMs()
    return session !== null && session.idleUntilMs > atMs && session.endsAtMs > atMs ? session : null
  }
  return {
    ...sessions,
    findByJti: async (digest) => ifLiving(await keep(`token ${digest}`, () => sessions.findByJti(digest))),
    findByCookie: async (digest) =>
      ifLiving(await keep(`cookie ${digest}`, () => sessions.findByCookie(digest))),
  }
}

const withKeptSettings = (settings: SettingsStore, keep: Keep): SettingsStore => ({
  ...settings,
  async get() {
    const known = await keep('settings', () => settings.get())
    return known ?? settings.get()
  },
})
