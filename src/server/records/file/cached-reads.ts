import { root, type Path } from '../../../shared/domain/path.ts'
import type { ServerRecords } from '../port.ts'
import type { SessionRecord, SessionStore } from '../session-store.ts'
import type { SettingsStore } from '../settings.ts'
import type { ShareStore } from '../share-store.ts'
import type { ThrottleStore } from '../throttles.ts'
import type { UserStore } from '../user-store.ts'
import type { ScopeUsageStore } from '../scope-usage-record.ts'
import { createVersionedCache } from './versioned-cache.ts'
import type { StateVersionReader } from './state-version.ts'

export type ReadCacheOptions = { readonly version: StateVersionReader; readonly nowMs: () => number }

/**
 * Wraps records with a cache for the data that every request reads: the session, its user, the settings, the paths of
 * shares, the times that are counted for limits, and the usages of scopes. A cached value is valid until any process commits to the database,
 * which is checked before each use. Missing sessions and users are not cached. A key without counted times is cached.
 */
export function withCachedReads(records: ServerRecords, { version, nowMs }: ReadCacheOptions): ServerRecords {
  return {
    ...records,
    users: withCachedUsers(records.users, version),
    sessions: withCachedSessions(records.sessions, version, nowMs),
    settings: withCachedSettings(records.settings, version),
    shares: withCachedSharedPaths(records.shares, version),
    throttles: withCachedTimes(records.throttles, version),
    scopeUsages: withCachedUsages(records.scopeUsages, version),
    version: version.now,
    async close() {
      version.close()
      await records.close()
    },
  }
}

/**
 * Wraps a read with a cache. The cache contains promises, so that no new promise is created when a cached value is
 * returned.
 */
function cachedRead<K extends string | number, Value extends object | null>(
  version: StateVersionReader,
  read: (key: K) => Promise<Value>,
): (key: K) => Promise<Value> {
  const cache = createVersionedCache<K, Promise<Value>>(version.now)

  async function readAndCache(key: K): Promise<Value> {
    const store = cache.beginRead()
    const found = await read(key)
    if (found !== null) store(key, Promise.resolve(found))
    return found
  }

  return (key) => cache.get(key) ?? readAndCache(key)
}

function withCachedUsers(users: UserStore, version: StateVersionReader): UserStore {
  const findCached = cachedRead(version, (id: number) => users.find(id))
  return { ...users, find: findCached }
}

/**
 * Wraps the store of sessions. Sessions expire without a commit, so the expiry of a cached session is checked on each
 * use.
 */
function withCachedSessions(
  sessions: SessionStore,
  version: StateVersionReader,
  nowMs: () => number,
): SessionStore {
  const unlessExpired = (session: SessionRecord | null): SessionRecord | null => {
    const atMs = nowMs()
    return session !== null && session.idleUntilMs > atMs && session.endsAtMs > atMs ? session : null
  }
  const byJti = cachedRead(version, (digest: string) => sessions.findByJti(digest))
  const byCookie = cachedRead(version, (digest: string) => sessions.findByCookie(digest))
  return {
    ...sessions,
    findByJti: async (digest) => unlessExpired(await byJti(digest)),
    findByCookie: async (digest) => unlessExpired(await byCookie(digest)),
  }
}

function withCachedSettings(settings: SettingsStore, version: StateVersionReader): SettingsStore {
  const readCached = cachedRead(version, () => settings.get())
  return { ...settings, get: () => readCached('settings') }
}

function withCachedTimes(throttles: ThrottleStore, version: StateVersionReader): ThrottleStore {
  return { ...throttles, timesOf: cachedRead(version, (key: string) => throttles.timesOf(key)) }
}

function withCachedUsages(usages: ScopeUsageStore, version: StateVersionReader): ScopeUsageStore {
  const readCached = cachedRead(version, (keys: string) => usages.read(keys.split(' ')))
  return { ...usages, read: (keys) => readCached(keys.join(' ')) }
}

/**
 * Wraps the store of shares. `hasWithin` is called for every new file, and so is not a query where nobody shares anything.
 * `endWithin` needs the writer thread, and so is skipped for a path without shares.
 */
function withCachedSharedPaths(shares: ShareStore, version: StateVersionReader): ShareStore {
  const readCached = cachedRead(version, async () => ({ areThereAny: await shares.hasWithin(root) }))
  const hasWithin = async (path: Path): Promise<boolean> =>
    (await readCached('any')).areThereAny && shares.hasWithin(path)
  return {
    ...shares,
    hasWithin,
    endWithin: async (path, waiting) => {
      if (await hasWithin(path)) await shares.endWithin(path, waiting)
    },
  }
}
