import { encodePath, type Path } from '../../../shared/domain/path.ts'
import type { Records, Session, Sessions, SettingsStore, Shares, Users } from '../port.ts'
import { createVersionedCache } from './versioned-cache.ts'
import type { StateVersion } from './state-version.ts'

export type ReadCacheOptions = { readonly version: StateVersion; readonly nowMs: () => number }

/**
 * Wraps records with a cache of what every request reads: the session, its user, the settings, and the paths that are
 * shared. A cached value is valid until any process commits, which is checked before each answer. Missing rows are not
 * cached.
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

/** Wraps a read with a cache. The cache holds the promise itself, so that a hit creates none. */
function cachedRead<K, Found extends object | null>(
  version: StateVersion,
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

function withCachedUsers(users: Users, version: StateVersion): Users {
  const keep = cachedRead(version, (id: number) => users.find(id))
  return { ...users, find: keep }
}

/** Wraps the sessions. A cached session is checked for its age again, since a session expires without a commit. */
function withCachedSessions(sessions: Sessions, version: StateVersion, nowMs: () => number): Sessions {
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

function withCachedSettings(settings: SettingsStore, version: StateVersion): SettingsStore {
  const keep = cachedRead(version, () => settings.get())
  return { ...settings, get: () => keep('settings') }
}

/** Wraps the shares. Every new file ends shares of its path, so paths without shares are answered without a query. */
function withCachedSharedPaths(shares: Shares, version: StateVersion): Shares {
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
