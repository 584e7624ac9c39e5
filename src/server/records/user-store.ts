import type { UserFieldValues } from '../../shared/contract/fields/user-fields.ts'

/** A stored user: the fields that `userFields` declares, and the id, name, password hash and status of the account. */
export type User = UserFieldValues & {
  readonly id: number
  readonly username: string
  /**
   * The hash of the password. It begins with `$argon2id$`, or with `$2a$`, `$2b$` or `$2y$` (bcrypt) for a user that
   * was imported from File Browser.
   */
  readonly passwordHash: string
  readonly isDisabled: boolean
  /**
   * The time of the last change of the user's fields; null when the user was never changed. A login and a new hash of
   * the same password do not count as changes. Each change has a later time than the change before it.
   */
  readonly changedAtMs: number | null
}

/** A user as far as requests need to know: without the hash of the password. */
export type Account = Omit<User, 'passwordHash'>

export type UserFields = Omit<User, 'id' | 'changedAtMs'>

/** A list of users to import, and the way in which stored users with the same ids are handled. */
export type UserImportRequest = {
  /** A user with the id 0 gets a new id. */
  readonly users: readonly (UserFields & { readonly id: number })[]
  /**
   * What happens when a stored user has the id of an imported user: the import is refused, or the stored user is
   * overwritten. `replace-all` also removes the stored users that are not in the list.
   */
  readonly onExistingId: 'refuse' | 'overwrite' | 'replace-all'
  /** The highest id that a user of the imported system ever had. New users get ids above it. */
  readonly lastId?: number
}

/**
 * The store of users. Except for `rehash`, the functions that write throw `name-taken` when another user has the same
 * name or a name that differs only in case, `bad-request` for a name or field that cannot be stored, and `not-found`
 * for an unknown id.
 */
export type UserStore = {
  find(id: number): Promise<User | null>
  /** Finds the user with exactly this name. The comparison is case-sensitive. */
  findByName(username: string): Promise<User | null>
  /** True when a user has this name, or a name that differs from it only in case or in the composition of letters. */
  hasSimilarName(username: string): Promise<boolean>
  list(): Promise<readonly User[]>
  add(fields: UserFields): Promise<User>
  /**
   * Imports users in one transaction. Unlike with `add`, the names of two users may differ only in case. A new user
   * keeps the given id when no user ever had this id. Throws `name-taken` when an id exists and `onExistingId` is
   * `refuse`, or when another user has the same name. Throws `forbidden` when no enabled administrator would be left.
   */
  importAll(request: UserImportRequest): Promise<readonly User[]>
  /**
   * Changes the given fields in one transaction, and sets `changedAtMs`. Throws `forbidden` when no enabled
   * administrator would be left.
   */
  update(id: number, fields: Partial<UserFields>): Promise<User>
  /**
   * Works like `update` with fields that `change` computes from the stored user. No other call can change a user
   * between the read and the write.
   */
  updateBy(
    id: number,
    change: (before: User) => Partial<UserFields> | Promise<Partial<UserFields>>,
  ): Promise<User>
  /** Returns any stored password hash that begins with the prefix; null when no hash does. */
  findHashWithPrefix(prefix: string): Promise<string | null>
  /**
   * Stores a stronger hash of the same password, unless the password has changed since. `changedAtMs` stays unchanged.
   */
  rehash(id: number, change: { readonly from: string; readonly to: string }): Promise<void>
  /** Removes a user. Throws `forbidden` when no enabled administrator would be left. */
  remove(id: number): Promise<void>
}
