import { encodePath, type Path } from '../../../shared/domain/path.ts'
import type { Records, Session, Sessions, SettingsStore, Shares, Users } from '../port.ts'
import { createVersionedCache } from './versioned-cache.ts'
import type { StateVersionReader } from './state-version.ts'

export type ReadCacheOptions = { readonly version: StateVersionReader; readonly nowMs: () => number }

/**
 * Wraps records with a cache for the data that every request reads: the session, its user, the settings, and the paths
 * that are shared. A cached value is valid until any process commits to the database, which is checked before each use.
 * Missing rows are not cached.
 */
export function withCachedReads(records: Records, { version, nowMs }: ReadCacheOptions): Records {
  return {
    ...records,
    users: withCachedUsers(records.users, version),
    sessions: withCachedSessions(records.sessions, version, nowMs),
    settings: withCachedSettings(records.settings, version),
    shares: withCachedSharedPaths(records.shares, version),
    version: version.now,
    async close() {
      version.close()
      await records.close()
    },
  }
}

/** Wraps a read with a cache. The cache contains promises, so that a hit does not create a new promise. */
function cachedRead<K, Found extends object | null>(
  version: StateVersionReader,
  read: (key: K) => Promise<Found>,
): (key: K) => Promise<Found> {
  const keep = createVersionedCache<K, Promise<Found>>(version.now)

  async function readAndCache(key: K): Promise<Found> {
    const store = keep.beginRead()
    const found = await read(key)
    if (found !== null) store(key, Promise.resolve(found))
    return found
  }

  return (key) => keep.get(key) ?? readAndCache(key)
}

function withCachedUsers(users: Users, version: StateVersionReader): Users {
  const keep = cachedRead(version, (id: number) => users.find(id))
  return { ...users, find: keep }
}

/** Wraps the sessions. Sessions expire without a commit, so the expiry of a cached session is checked on each use. */
function withCachedSessions(sessions: Sessions, version: StateVersionReader, nowMs: () => number): Sessions {
  const unlessExpired = (session: Session | null): Session | null => {
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
  const keep = cachedRead(version, () => settings.get())
  return { ...settings, get: () => keep('settings') }
}

/** Wraps the shares. `endWithin` is called for every new file, so it skips its query for a path without shares. */
function withCachedSharedPaths(shares: Shares, version: StateVersionReader): Shares {
  const keep = cachedRead(version, async () => {
    const places = await shares.sharedPaths()
    return { places, above: pathsAndFoldersAbove(places) }
  })
  const mayHold = async (path: Path): Promise<boolean> => (await keep('places')).above.has(encodePath(path))
  return {
    ...shares,
    sharedPaths: async () => (await keep('places')).places,
    endWithin: async (path) => {
      if (await mayHold(path)) await shares.endWithin(path)
    },
  }
}

function pathsAndFoldersAbove(places: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>(places.length === 0 ? [] : ['/'])
  for (const place of places) {
    for (
      let end = place.length;
      end > 0 && !all.has(place.slice(0, end));
      end = place.lastIndexOf('/', end - 1)
    )
      all.add(place.slice(0, end))
  }
  return all
}
