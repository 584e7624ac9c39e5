import type { Timer } from '../concurrency/later.ts'

/** The interval in milliseconds at which the rights of connected users are compared. */
const compareMs = 1000

type RightsComparison = {
  readonly later: Timer
  /** Returns a text that is different after the rights of the user have changed. */
  readonly rightsOf: (userId: number) => Promise<string>
  readonly onFault: (error: unknown) => void
}

/** Calls the listener after each change of a user's rights. The returned function ends the calls. */
export type RightsWatch = (userId: number, onChange: () => void) => () => void

type WatchedUser = { readonly listeners: Set<() => void>; rights: string | null }

/**
 * Creates a watch of the rights of users. The rights are compared with the stored ones each second, as sessions are, so
 * that a change by another process is noticed, too. Users whom nobody watches cost nothing.
 */
export function createRightsWatch({ later, rightsOf, onFault }: RightsComparison): RightsWatch {
  const users = new Map<number, WatchedUser>()

  async function compare(userId: number, user: WatchedUser): Promise<void> {
    const rights = await rightsOf(userId)
    const hasChanged = user.rights !== null && user.rights !== rights
    user.rights = rights
    if (hasChanged) for (const listener of user.listeners) listener()
  }

  const compareLater = (userId: number, user: WatchedUser): void =>
    void later(compareMs, () => {
      if (users.get(userId) !== user) return
      void compare(userId, user)
        .catch(onFault)
        .then(() => compareLater(userId, user))
    })

  return (userId, onChange) => {
    let user = users.get(userId)
    if (user === undefined) {
      user = { listeners: new Set(), rights: null }
      users.set(userId, user)
      void compare(userId, user).catch(onFault)
      compareLater(userId, user)
    }
    const { listeners } = user
    listeners.add(onChange)
    return () => {
      listeners.delete(onChange)
      if (listeners.size === 0 && users.get(userId)?.listeners === listeners) users.delete(userId)
    }
  }
}
