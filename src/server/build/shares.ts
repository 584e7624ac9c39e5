import type { Door } from '../access/door.ts'
import type { Archives } from '../archives/archives.ts'
import { networkOf } from '../auth/network.ts'
import type { Passwords } from '../auth/passwords.ts'
import { createThrottle, type ThrottleLimits } from '../auth/throttle.ts'
import type { Announcer } from '../changes/announcer.ts'
import { showShared } from '../files/show-shared.ts'
import type { Route } from '../http/route.ts'
import type { Records } from '../records/port.ts'
import { followChanges } from '../shares/follow.ts'
import { createRealPlaces } from '../shares/real-places.ts'
import { shareRoutes } from '../shares/routes.ts'
import type { Volume } from '../storage/port.ts'

/** What shares need of the server. */
export type ShareParts = {
  readonly world: {
    readonly nowMs: () => number
    readonly randomBytes: (count: number) => Uint8Array
  }
  readonly login: { readonly key: Uint8Array }
  readonly records: Records
  readonly passwords: Passwords
  readonly door: Door
  readonly announcer: Announcer
  readonly volume: Pick<Volume, 'realFolder'>
  readonly onFault: (error: unknown) => void
  readonly archives: Archives
}

const minuteMs = 60_000
/** Security 3.8: wrong passwords of a share at an address, unknown hashes at an address. */
const passwordLimits: ThrottleLimits = { account: [{ most: 5, windowMs: minuteMs }], address: [] }
const hashLimits: ThrottleLimits = { account: [], address: [{ most: 60, windowMs: minuteMs }] }

/** The routes of shares, with what keeps shares true beside them: following moves, and forgetting those that are over. */
export async function composeShares(
  parts: ShareParts,
): Promise<{ readonly routes: readonly Route[]; readonly stop: () => Promise<void> }> {
  const { world, login, records, passwords, door, announcer, volume, onFault, archives } = parts
  const { nowMs, randomBytes } = world
  const { shares, users, throttles } = records
  const realPlaces = createRealPlaces({ volume, nowMs })
  const following = followChanges({ shares, realPlaces, subscribe: announcer.subscribe, onFault })
  const purging = setInterval(() => void shares.purge().catch(onFault), minuteMs).unref()
  const routes = shareRoutes({
    key: login.key,
    nowMs,
    randomBytes,
    showEntry: showShared,
    sendFolder: async ({ path, name, query, client, ...sent }) =>
      archives.pack({
        ...sent,
        folder: path,
        // A whole scope's own name is nobody's business.
        rootName: name === '' ? 'archive' : name,
        files: query.files ?? '',
        algo: query.algo ?? '',
        principal: `guest ${networkOf(client.address)}`,
      }),
    shares,
    users,
    realPlaces,
    settled: following.settled,
    storageOf: (user) => door.storageOf(user),
    hashPassword: (password) => passwords.hash(password),
    verifyPassword: (password, hash) => passwords.verify(password, hash),
    throttlePasswords: await createThrottle({ throttles, nowMs, limits: passwordLimits, mark: 'share-' }),
    throttleHashes: await createThrottle({ throttles, nowMs, limits: hashLimits, mark: 'hash-' }),
  })
  return {
    routes,
    async stop() {
      clearInterval(purging)
      following.stop()
      await following.settled()
    },
  }
}
