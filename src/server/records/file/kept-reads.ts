import { encodePath, type Path } from '../../../shared/domain/path.ts'
import type { Records, Session, Sessions, SettingsStore, Shares, Users } from '../port.ts'
import { createKeep } from './keep.ts'
import type { StateVersion } from './state-version.ts'

export type Keeping = { readonly version: StateVersion; readonly nowMs: () => number }

/**
 * Records that remember what every request asks for: the session, its user, the settings, where nothing is shared. It is good as long as nobody, no other
 * process either, has committed anything since; that is asked before each answer. What is not there is not remembered.
 */
export function withKeptReads(records: Records, { version, nowMs }: Keeping): Records {
  return {
    ...records,
    users: withKeptUsers(records.users, version),
    sessions: withKeptSessions(records.sessions, version, nowMs),
    settings: withKeptSettings(records.settings, version),
    shares: withKeptPlaces(records.shares, version),
    version: version.now,
    async close() {
      version.close()
      await records.close()
    },
  }
}

/** Reads under a key, or gives what was read under it while nothing has changed: the very promise, so that it costs nothing. */
function keeping<K, Found extends object | null>(
  version: StateVersion,
  read: (key: K) => Promise<Found>,
): (key: K) => Promise<Found> {
  const keep = createKeep<K, Promise<Found>>(version.now)

  async function readAnew(key: K): Promise<Found> {
    const store = keep.searching()
    const found = await read(key)
    if (found !== null) store(key, Promise.resolve(found))
    return found
  }

  return (key) => keep.known(key) ?? readAnew(key)
}

function withKeptUsers(users: Users, version: StateVersion): Users {
  const keep = keeping(version, (id: number) => users.find(id))
  return { ...users, find: keep }
}

/** Time passes without a commit: a session that has become too old is not living any more. */
function withKeptSessions(sessions: Sessions, version: StateVersion, nowMs: () => number): Sessions {
  const ifLiving = (session: Session | null): Session | null => {
    const atMs = nowMs()
    return session !== null && session.idleUntilMs > atMs && session.endsAtMs > atMs ? session : null
  }
  const byJti = keeping(version, (digest: string) => sessions.findByJti(digest))
  const byCookie = keeping(version, (digest: string) => sessions.findByCookie(digest))
  return {
    ...sessions,
    findByJti: async (digest) => ifLiving(await byJti(digest)),
    findByCookie: async (digest) => ifLiving(await byCookie(digest)),
  }
}

function withKeptSettings(settings: SettingsStore, version: StateVersion): SettingsStore {
  const keep = keeping(version, () => settings.get())
  return { ...settings, get: () => keep('settings') }
}

/** Every new file ends what was shared in its place: where nothing is, nothing is looked for. */
function withKeptPlaces(shares: Shares, version: StateVersion): Shares {
  const keep = keeping(version, async () => {
    const places = await shares.places()
    return { places, above: withFoldersAbove(places) }
  })
  const mayHold = async (path: Path): Promise<boolean> => (await keep('places')).above.has(encodePath(path))
  return {
    ...shares,
    places: async () => (await keep('places')).places,
    endWithin: async (path) => {
      if (await mayHold(path)) await shares.endWithin(path)
    },
  }
}

function withFoldersAbove(places: readonly string[]): ReadonlySet<string> {
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
