import { createStore, type Store } from './store.ts'

/**
 * State that belongs to the signed-in user, such as a store, a cache or a queue. Its module registers it here, so that
 * the next user neither sees data of the previous user nor sends it.
 */
export type UserScopedState = {
  /**
   * Empties the state, ends its pause and aborts work in flight. Called when the user has logged out or another user
   * has logged in.
   */
  readonly drop: () => void
  /** Stops sending. Called when the session has ended and the user may log in again. */
  readonly pause?: () => void
  /** Continues after a pause. Called when the same user has logged in again. */
  readonly resume?: () => void
  /** Returns the number of files that would be lost if the state were dropped now. */
  readonly unfinished?: () => number
}

const registered: UserScopedState[] = []
let owner = new AbortController()
let isPaused = false

/** Registers state of the signed-in user. There is no way to unregister it. */
export function registerPersonal(state: UserScopedState): void {
  registered.push(state)
  if (isPaused) state.pause?.()
}

/** Creates a store that is reset to its initial value when the user's state is dropped. */
export function createPersonalStore<T>(initial: T): Store<T> {
  const store = createStore(initial)
  registerPersonal({ drop: () => store.set(() => initial) })
  return store
}

/**
 * Returns the signal that is aborted when the state of the current user is dropped. Asynchronous work gets the signal
 * when it starts, and must neither send nor show anything after the abort.
 */
export const userSignal = (): AbortSignal => owner.signal

/** Returns the number of files that are still to be uploaded for the user. */
export const unfinishedFiles = (): number =>
  registered.reduce((sum, { unfinished }) => sum + (unfinished?.() ?? 0), 0)

/**
 * Pauses the work of the current user. Only the session store calls this function, `resumePersonal` and `dropPersonal`.
 */
export function pausePersonal(): void {
  isPaused = true
  for (const { pause } of registered) pause?.()
}

export function resumePersonal(): void {
  isPaused = false
  for (const { resume } of registered) resume?.()
}

/**
 * Aborts the work of the current user and empties all registered state. Work that starts afterwards belongs to the next
 * user.
 */
export function dropPersonal(): void {
  isPaused = false
  const left = owner
  owner = new AbortController()
  left.abort(new DOMException('The person has left.', 'AbortError'))
  for (const { drop } of registered) drop()
}
