import { posix } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Rule } from '../../shared/domain/access.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { nameOf, pathOf, root, type Path } from '../../shared/domain/path.ts'
import type { Announce, Author, Bracketing, Cause } from '../changes/change.ts'
import { withAnnouncements } from '../changes/with-announcements.ts'
import type { Session, User } from '../records/port.ts'
import type { Storage, Volume } from '../storage/port.ts'
import { absentStorage } from './absent-storage.ts'
import { callerOf, type Caller } from './caller.ts'
import { deferredStorage } from './deferred-storage.ts'
import type { Quotas } from './quota/quotas.ts'
import { withQuota } from './quota/with-quota.ts'
import { compileRules, type Permits } from './rules.ts'
import { withSoundNames } from './with-sound-names.ts'
import { withUploadLimit } from './with-upload-limit.ts'
import { withUploadTurns, type UploadTurns } from './with-upload-turns.ts'

export type DoorNeeds = {
  readonly volume: Storage & Pick<Volume, 'foldsCase'>
  /** Rules for everybody, as they are now. */
  readonly globalRules: () => Promise<readonly Rule[]>
  readonly announce: Announce
  /** Resolves when everybody is done with what was announced. */
  readonly settled: () => Promise<void>
  readonly bracket: Bracketing
  /** The user of a session as stored now; null when either is no more. */
  readonly userNow: (asker: Pick<Asker, 'user' | 'session'>) => Promise<User | null>
  /** Told once about each stored expression that does not compile. */
  readonly onBrokenRule: (raw: string, user: User) => void
  /** Largest file that may be uploaded; null for any. */
  readonly mostUploadBytes: number | null
  /** What the scopes of those hold who have a quota. */
  readonly quotas: Pick<Quotas, 'countOf'>
  readonly uploadTurns: UploadTurns
  readonly nowMs: () => number
}

export type Asker = { readonly user: User; readonly session: Session; readonly cause: Cause }

/** What somebody may reach now. */
export type Admission = {
  /** Somebody who asks, for one request. */
  readonly callerFor: (cause: Cause) => Caller
  /** Whether they would still be given the same at that time, if nothing is stored anew. */
  readonly holds: (nowMs: number) => boolean
}

/** Makes callers: what a user may reach is narrowed once and kept while scope, rules and dotfile preference stay the same. */
export type Door = {
  admit(who: Omit<Asker, 'cause'>): Promise<Admission>
  /** What a user may reach, announced to nobody: for looking only. */
  storageOf(user: User): Promise<Storage>
}

/** The scope as it is used: always inside the volume (`/etc` is its `etc`, `..` at its top goes nowhere). Null when it names no path. */
export const confinedScope = (scope: string): Path | null => pathOf(posix.normalize(`/${scope}`))

type Kept = {
  readonly user: User
  readonly globalRules: readonly Rule[]
  readonly key: string
  /** The scope as it is used; null where it names no path. */
  readonly scope: Path | null
  readonly storage: Promise<Storage>
  /** The same with the limits of the user, for who need not wait until it is open. */
  readonly limited: Storage
  /** Compiled once for as long as the rules stay the same; null where there are none. */
  readonly permits: Promise<Permits | null>
  readonly atMs: number
}

/** A narrowed storage stays with its folder when that is renamed; after this long the scope is looked up by its name again. */
const freshMs = 1000

export function createDoor(needs: DoorNeeds): Door {
  const kept = new Map<number, Kept>()

  async function reachOf(user: User): Promise<Kept> {
    const globalRules = await needs.globalRules()
    const known = kept.get(user.id)
    // What the records gave again needs no second look.
    const isGivenAgain = known?.user === user && known.globalRules === globalRules
    const key = isGivenAgain ? known.key : keyOf(user, globalRules)
    if (known?.key === key && isFresh(known, needs.nowMs())) return known
    const permits = known?.key === key ? known.permits : compiled(needs, user, globalRules)
    const scope = confinedScope(user.scope)
    const storage = narrowedFor(needs, { user, scope, permits })
    const limited = limitedFor(needs, user, storage)
    const made = { user, globalRules, key, scope, storage, limited, permits, atMs: needs.nowMs() }
    kept.set(user.id, made)
    storage.then(
      (narrowed) => narrowed === absentStorage && forget(user.id, key),
      () => forget(user.id, key),
    )
    return made
  }

  const isFresh = ({ atMs }: Kept, nowMs: number): boolean => nowMs - atMs < freshMs

  /** A scope that was missing, or could not be opened, is looked for again at the next request. */
  function forget(userId: number, key: string): void {
    if (kept.get(userId)?.key === key) kept.delete(userId)
  }

  /** Refuses who would be let in otherwise now, or not at all. */
  async function recheck({ user, session }: Asker, key: string): Promise<void> {
    const now = await needs.userNow({ user, session })
    if (now === null) throw new AppError('not-signed-in')
    const isSame = isDeepStrictEqual(now.perm, user.perm) && keyOf(now, await needs.globalRules()) === key
    if (!isSame) throw new AppError('forbidden')
  }

  const storageFor = (asker: Asker, { key, scope, limited }: Kept): Storage =>
    withAnnouncements(countedFor(needs, asker.user, { scope, storage: limited }), {
      announce: needs.announce,
      settled: needs.settled,
      bracket: needs.bracket,
      recheck: () => recheck(asker, key),
      author: authorOf(asker, scope),
      nowMs: needs.nowMs,
    })

  async function admit(who: Omit<Asker, 'cause'>): Promise<Admission> {
    const { user, session } = who
    const reach = await reachOf(user)
    return {
      callerFor: (cause) => callerOf(who, () => storageFor({ user, session, cause }, reach)),
      holds: (nowMs) => kept.get(user.id) === reach && isFresh(reach, nowMs),
    }
  }

  return { admit, storageOf: async (user) => (await reachOf(user)).storage }
}

/** All that decides what a user may reach. */
const keyOf = (user: User, globalRules: readonly Rule[]): string =>
  JSON.stringify([user.scope, user.hideDotfiles, globalRules, user.rules])

/** By the quota as it is now. Without one nothing is counted. */
function countedFor(
  { quotas }: DoorNeeds,
  { id, quotaBytes }: User,
  { scope, storage }: Pick<Kept, 'scope'> & { readonly storage: Storage },
): Storage {
  if (quotaBytes === null || scope === null) return storage
  return withQuota(storage, { count: quotas.countOf(scope), quotaBytes, userId: id, at: root })
}

const authorOf = ({ user, cause }: Asker, scope: Path | null): Author => ({
  ...cause,
  userId: user.id,
  username: user.username,
  scope: scope ?? root,
  writtenScope: user.scope,
  ...(user.quotaBytes === null ? {} : { isCounted: true }),
})

/** Who asks for no file does not wait for the disk. */
function limitedFor(needs: DoorNeeds, { id }: User, reach: Promise<Storage>): Storage {
  const storage = withSoundNames(deferredStorage(reach))
  return withUploadLimit(withUploadTurns(storage, needs.uploadTurns, id), needs.mostUploadBytes)
}

/** Where there are no rules no thread need ask: its question would cost it as much as its work. */
async function compiled(needs: DoorNeeds, user: User, globalRules: readonly Rule[]): Promise<Permits | null> {
  const rules = [...globalRules, ...user.rules]
  if (rules.length === 0) return null
  const { foldsCase } = needs.volume
  return compileRules(rules, { foldsCase, onBroken: (raw) => needs.onBrokenRule(raw, user) })
}

async function narrowedFor(
  needs: DoorNeeds,
  { user, scope, permits: rules }: Pick<Kept, 'user' | 'scope' | 'permits'>,
): Promise<Storage> {
  const permits = await rules
  if (scope === null) return absentStorage
  try {
    return await needs.volume.narrow({
      at: scope,
      ...(permits === null ? {} : { permits }),
      ...(user.hideDotfiles ? { hides: isDotfile } : {}),
    })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'not-found' || code === 'not-a-folder' || code === 'forbidden') return absentStorage
    throw error
  }
}

/** The preference judges the last name alone: `/.git/config` is no dotfile (contract 1.7). */
const isDotfile = (path: Path): boolean => nameOf(path).startsWith('.')
