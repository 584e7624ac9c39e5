import type { Permission } from '../../shared/domain/access.ts'
import type { FileOperation } from '../changes/file-operation.ts'
import type { Storage } from '../storage/port.ts'
import type { HeadReader } from '../storage/read-head.ts'
import type { Account } from '../records/user-store.ts'
import type { SessionRecord } from '../records/session-store.ts'

/**
 * The storage of an actor. It changes nothing for which the actor lacks a permission, and returns the content of files only
 * to an actor who may download. What is changed through it is recorded in the audit log, by itself or as a part (decision
 * 140).
 */
export type ActorStorage = Storage & {
  /** Also for an actor who may not download, because the type of a file is no content. */
  readonly headOf: HeadReader
  /**
   * Does the work of an operation that has one event in the audit log, with a storage whose changes are not recorded
   * by themselves.
   */
  readonly asOne: <Result>(
    operation: FileOperation,
    work: (storage: Storage) => Promise<Result>,
  ) => Promise<Result>
}

/**
 * The user who sent a request, and the access that this user has. A caller is created from the records for each
 * request; no part of it comes from the token.
 */
export type Caller = {
  readonly user: Account
  readonly session: SessionRecord
  /**
   * The storage, narrowed to the user's scope, rules and dotfile preference. Every change made through it is announced.
   */
  readonly storage: ActorStorage
  /** Returns true when the user has a permission. The request is ended when the user loses it while the request runs. */
  readonly may: (permission: Permission) => boolean
  /**
   * Rejects when the user no longer has the access on which the request relies: `not-signed-in` when the session has
   * ended, and `forbidden` when a permission that the request has needed, the scope or a rule has changed.
   */
  readonly recheck: () => Promise<void>
  /** Returns true when the request works with files. */
  readonly usesStorage: () => boolean
  /**
   * A digest of all stored values that determine which entries the user can see. Callers with the same key see the same
   * entries at the same paths.
   */
  readonly accessKey: string
}

const open = Symbol('open')
const opened = Symbol('opened')
type LazyStorage = { [open]: () => ActorStorage; [opened]: ActorStorage | undefined }

/**
 * The accessor is on a prototype: an accessor in an object literal would make the JavaScript engine create a hidden
 * class for each caller, which outlives the request.
 */
const lazyStoragePrototype = {
  get storage(): ActorStorage {
    const opening = this as unknown as LazyStorage
    return (opening[opened] ??= opening[open]())
  },
}

/** Creates a caller whose storage, with all its wrappers, is created on first use: many requests use no file. */
export const callerOf = (
  { user, session, accessKey, may, recheck }: Omit<Caller, 'storage' | 'usesStorage'>,
  openStorage: () => ActorStorage,
): Caller => {
  // The fields are assigned one by one, because copying all of them together with the prototype takes four times as
  // long.
  const caller = Object.create(lazyStoragePrototype) as LazyStorage & {
    -readonly [Key in keyof Caller]: Caller[Key]
  }
  caller.user = user
  caller.session = session
  caller.may = may
  caller.recheck = recheck
  caller.usesStorage = () => caller[opened] !== undefined
  caller.accessKey = accessKey
  caller[open] = openStorage
  caller[opened] = undefined
  return caller
}
