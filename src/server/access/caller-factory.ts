import { createBoundedMap } from '../concurrency/bounded-map.ts'
import type { AccessRule, Permission } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import type { ChangePublisher, ChangeAuthor, ChangeHookFinder, ChangeCause } from '../changes/change.ts'
import { announcementPolicy, type AnnouncementDependencies } from '../changes/announcement-policy.ts'
import { auditPolicy } from '../changes/audit-policy.ts'
import {
  recorderBelow,
  recordOperation,
  type EndedOperation,
  type OperationAuthor,
  type OperationRecorder,
} from '../changes/file-operation.ts'
import type { SessionRecord } from '../records/session-store.ts'
import type { User } from '../records/user-store.ts'
import { withPolicies, withPoliciesOnDemand, type Policy } from '../storage/policy.ts'
import type { Storage, Volume } from '../storage/port.ts'
import { headReaderOf } from '../storage/read-head.ts'
import { absentStorage } from './absent-storage.ts'
import { confinedScope, narrowToUser } from './narrow-to-user.ts'
import { callerOf, type ActorStorage, type Caller } from './caller.ts'
import { storageOnceOpen } from './deferred-storage.ts'
import type { ScopeUsageTracker } from './quota/quotas.ts'
import { quotaPolicy } from './quota/quota-policy.ts'
import { compileRules, type PathFilter } from './rules.ts'
import { refuseLoweredQuota, requireSameAccess, storageKeyOf } from './same-access.ts'
import { permissionsPolicy, type PermissionCheck } from './permissions-policy.ts'
import { withDownloadPermission } from './with-download-permission.ts'
import { newNamesPolicy } from './new-names-policy.ts'
import { uploadSizePolicy } from './upload-size-policy.ts'
import { concurrentUploadsPolicy, type UploadLimiters } from './concurrent-uploads-policy.ts'

export type CallerFactoryDependencies = {
  readonly volume: Storage & Pick<Volume, 'foldsCase'>
  /** Returns the stored rules that apply to all users. */
  readonly globalRules: () => Promise<readonly AccessRule[]>
  readonly announce: ChangePublisher
  readonly findHooks: ChangeHookFinder
  /** Records an operation on files in the audit log. */
  readonly record: (operation: EndedOperation) => void
  /** Returns the user of a session as stored now, or null when the user or the session no longer exists. */
  readonly userNow: (identity: Pick<RequestIdentity, 'user' | 'session'>) => Promise<User | null>
  /** Called for each stored regular expression that does not compile. */
  readonly onBrokenRule: (raw: string, user: User) => void
  /** Maximum size of an uploaded file; null for no limit. */
  readonly maxUploadBytes: number | null
  /** Tracks the bytes used in each scope whose user has a quota. */
  readonly quotas: Pick<ScopeUsageTracker, 'usageOf'>
  readonly uploadLimiters: UploadLimiters
  readonly nowMs: () => number
}

export type RequestIdentity = {
  readonly user: User
  readonly session: SessionRecord
  readonly cause: ChangeCause
}

/** The result of admitting a user: the access that the user has at the moment. */
export type UserAdmission = {
  /** Creates the caller for one request. */
  readonly callerFor: (cause: ChangeCause) => Caller
  /**
   * Returns true when a new admission at that time would have the same result, provided that no record has changed
   * since.
   */
  readonly isValid: (nowMs: number) => boolean
}

/**
 * Creates callers. The narrowed storage of a user is cached for a short time, while the user's scope, rules and dotfile
 * preference stay the same.
 */
export type CallerFactory = {
  admit(identity: Omit<RequestIdentity, 'cause'>): Promise<UserAdmission>
  /** Returns the user's narrowed storage for reading. Changes made through it would not be announced. */
  storageOf(user: User): Promise<Storage>
  /** Returns a storage with which guests add files to a user's folder. The storage reveals nothing about the folder. */
  dropStorageOf(drop: DropOptions): Promise<Storage>
  /** Returns a digest of all stored values that determine which entries a user can see. */
  accessKeyOf(user: User): Promise<string>
}

/** The options with which guests add files to a folder. The quota, hooks and announcements of the owner apply. */
export type DropOptions = {
  readonly owner: User
  /** The folder, as a path in the owner's scope. */
  readonly at: Path
  /** The hash of the share by which guests reach the folder. */
  readonly share: string
  /** The key of the uploads that count together towards the limit of concurrent uploads. */
  readonly uploader: string
  readonly cause: ChangeCause
  /** Returns the owner as stored now. Throws when files may no longer be added. */
  readonly ownerNow: () => Promise<User>
}

type CachedUserStorage = {
  readonly user: User
  readonly globalRules: readonly AccessRule[]
  readonly key: string
  /** The user's scope as a path inside the volume. Null when the stored scope is not a valid path. */
  readonly scope: Path | null
  readonly storage: Promise<Storage>
  /** Returns the same storage, also before it has been opened. */
  readonly storageNow: () => Storage
  /** The compiled rules, reused while the rules stay the same; null when there are no rules. */
  readonly permits: Promise<PathFilter | null>
  readonly createdAtMs: number
}

/**
 * Maximum age of a cached storage, in milliseconds. A narrowed storage follows its folder when the folder is renamed;
 * after this time the scope is looked up by its name again.
 */
const storageMaxAgeMs = 1000
/** The number of users whose storages are cached, with their compiled rules. The others are opened again when they return. */
const maxCachedUsers = 1000

export function createCallerFactory(dependencies: CallerFactoryDependencies): CallerFactory {
  const cache = createBoundedMap<number, CachedUserStorage>(maxCachedUsers)

  async function cachedStorageOf(user: User): Promise<CachedUserStorage> {
    const globalRules = await dependencies.globalRules()
    const known = cache.get(user.id)
    // The records return identical objects while nothing has changed. The key is then not computed again.
    const isUnchanged = known?.user === user && known.globalRules === globalRules
    const key = isUnchanged ? known.key : storageKeyOf(user, globalRules)
    if (known?.key === key && isFresh(known, dependencies.nowMs())) return known
    const permits = known?.key === key ? known.permits : compileRulesOf(dependencies, user, globalRules)
    const scope = confinedScope(user.scope)
    const storage = narrowToRules(dependencies.volume, { user, scope, permits })
    const storageNow = storageOnceOpen(storage)
    const createdAtMs = dependencies.nowMs()
    const reach = { user, globalRules, key, scope, storage, storageNow, permits, createdAtMs }
    cache.set(user.id, reach)
    storage.then(
      (narrowed) => narrowed === absentStorage && forget(user.id, key),
      () => forget(user.id, key),
    )
    return reach
  }

  const isFresh = ({ createdAtMs }: CachedUserStorage, nowMs: number): boolean =>
    nowMs - createdAtMs < storageMaxAgeMs

  /**
   * Removes a user's storage from the cache if its scope was missing or could not be opened, so that the next request
   * opens it again.
   */
  function forget(userId: number, key: string): void {
    if (cache.get(userId)?.key === key) cache.delete(userId)
  }

  async function admit({ user, session }: Omit<RequestIdentity, 'cause'>): Promise<UserAdmission> {
    const reach = await cachedStorageOf(user)
    return {
      callerFor: (cause) => callerFor(dependencies, { user, session, cause }, reach),
      isValid: (nowMs) => cache.get(user.id) === reach && isFresh(reach, nowMs),
    }
  }

  return {
    admit,
    dropStorageOf: async (drop) => dropStorageFor(dependencies, await cachedStorageOf(drop.owner), drop),
    storageOf: async (user) => (await cachedStorageOf(user)).storage,
    accessKeyOf: async (user) => storageKeyOf(user, await dependencies.globalRules()),
  }
}

/** Creates the caller of one request, and keeps account of the permissions on which the request relies. */
function callerFor(
  dependencies: CallerFactoryDependencies,
  identity: RequestIdentity,
  reach: CachedUserStorage,
): Caller {
  const { user, session } = identity
  const { key, scope, storageNow } = reach
  const needed = new Set<Permission>()
  const userNow = async (): Promise<User> => {
    const now = await dependencies.userNow(identity)
    if (now === null) throw new AppError('not-signed-in', { reason: 'the session has ended' })
    requireSameAccess({ ...reach, user, needed }, now, await dependencies.globalRules())
    return now
  }
  const access = {
    user,
    session,
    accessKey: key,
    may(permission: Permission) {
      if (user.perm[permission]) needed.add(permission)
      return user.perm[permission]
    },
    recheck: async () => void (await userNow()),
  }
  const changing: ChangingUser = {
    user,
    may: (permission) => access.may(permission),
    scope,
    uploader: user.id,
    guestOf: null,
    session: session.id,
    cause: identity.cause,
    recheck: async (kind) => refuseLoweredQuota(kind, user, await userNow()),
  }
  return callerOf(access, () => actorStorageFor(dependencies, storageNow(), changing))
}

/** Creates the storage of an actor. */
function actorStorageFor(
  dependencies: CallerFactoryDependencies,
  storage: Storage,
  changing: ChangingUser,
): ActorStorage {
  const record = recorderOf(dependencies, changing)
  const readable = withDownloadPermission(storage, changing.may)
  return {
    ...withPoliciesOnDemand(readable, () => policiesOf(dependencies, changing, record)),
    headOf: headReaderOf(storage),
    asOne: (operation, work) =>
      recordOperation(record, operation, () =>
        work(withPolicies(readable, policiesOf(dependencies, changing, null))),
      ),
  }
}

/** The user in whose name changes are made. */
type ChangingUser = Pick<CachedUserStorage, 'scope'> &
  Pick<RequestIdentity, 'user'> &
  OperationAuthor &
  Pick<AnnouncementDependencies, 'recheck'> & {
    readonly may: PermissionCheck
    /** The key of the uploads that count together towards the limit of concurrent uploads. */
    readonly uploader: number | string
  }

/** Returns the recorder of what a user does to files. */
const recorderOf = (
  { record }: CallerFactoryDependencies,
  { user, guestOf, session, cause, scope }: ChangingUser,
): OperationRecorder =>
  recorderBelow(
    (operation, outcome) => record({ ...operation, outcome, author: { user, guestOf, session, cause } }),
    scope ?? root,
  )

/**
 * Returns what every change goes through, from the first to the last: the audit log, unless the change is a part of an
 * operation that is recorded as one; the permissions of the user; hooks, the same rights once more at the moment of the
 * change, and the announcement; the quota of the user, whose bytes are not counted without one; the largest size of a
 * file; the number of concurrent uploads; and the names of new entries.
 */
function policiesOf(
  dependencies: CallerFactoryDependencies,
  { user, may, scope, uploader, guestOf, cause, recheck }: ChangingUser,
  record: OperationRecorder | null,
): readonly Policy[] {
  const { announce, findHooks, nowMs, quotas, maxUploadBytes, uploadLimiters } = dependencies
  const { quotaBytes } = user
  // The announcements of guests do not reserve the space of the user.
  const userId = guestOf === null ? user.id : null
  return [
    ...(record === null ? [] : [auditPolicy(record)]),
    permissionsPolicy(may),
    announcementPolicy({ announce, findHooks, recheck, author: authorOf({ user, cause }, scope), nowMs }),
    ...(quotaBytes === null || scope === null
      ? []
      : [quotaPolicy({ usage: quotas.usageOf(scope), quotaBytes, userId, rootInScope: root })]),
    ...(maxUploadBytes === null ? [] : [uploadSizePolicy(maxUploadBytes)]),
    concurrentUploadsPolicy(uploadLimiters, uploader),
    newNamesPolicy,
  ]
}

/** Creates the storage through which somebody other than its owner adds files to a folder. */
function dropStorageFor(
  dependencies: CallerFactoryDependencies,
  reach: CachedUserStorage,
  { owner, at, share, uploader, cause, ownerNow }: DropOptions,
): Promise<Storage> {
  const { scope, storageNow } = reach
  const changing: ChangingUser = {
    user: owner,
    may: (permission) => owner.perm[permission],
    scope,
    uploader,
    guestOf: share,
    session: null,
    cause,
    async recheck(kind) {
      const now = await ownerNow()
      requireSameAccess({ ...reach, user: owner, needed: [] }, now, await dependencies.globalRules())
      refuseLoweredQuota(kind, owner, now)
    },
  }
  const policies = policiesOf(dependencies, changing, recorderOf(dependencies, changing))
  return withPolicies(storageNow(), policies).narrow({ at, only: 'write' })
}

const authorOf = (
  { user, cause }: Pick<RequestIdentity, 'user' | 'cause'>,
  scope: Path | null,
): ChangeAuthor => ({
  cause,
  userId: user.id,
  username: user.username,
  scope: scope ?? root,
  storedScope: user.scope,
  ...(user.quotaBytes === null || scope === null ? {} : { isCounted: true }),
})

/**
 * Compiles the global rules and the user's own rules. Returns null when there are no rules: a storage thread then does
 * not call back to the main thread for each path, which would take as long as the thread's own work.
 */
async function compileRulesOf(
  dependencies: CallerFactoryDependencies,
  user: User,
  globalRules: readonly AccessRule[],
): Promise<PathFilter | null> {
  const rules = [...globalRules, ...user.rules]
  if (rules.length === 0) return null
  const { foldsCase } = dependencies.volume
  return compileRules(rules, { foldsCase, onBroken: (raw) => dependencies.onBrokenRule(raw, user) })
}

/** Narrows the volume to a user's scope once the rules have been compiled. */
const narrowToRules = async (
  volume: CallerFactoryDependencies['volume'],
  { user, scope, permits }: Pick<CachedUserStorage, 'user' | 'scope' | 'permits'>,
): Promise<Storage> => narrowToUser(volume, { user, scope, permits: await permits })
