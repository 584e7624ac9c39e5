import { createStore, type Store } from './store.ts'

/**
 * A part of the client that belongs to the signed-in person: a store, a cache, a queue. It registers itself here, so
 * that nothing of one person is seen by, or sent as, the next.
 */
export type PersonalState = {
  /**
   * Empties the state and ends its pause: the person has logged out, or another person has logged in. Aborts work in
   * flight.
   */
  readonly drop: () => void
  /** Stops sending: the session has ended, and the person may log in again. */
  readonly pause?: () => void
  /** Goes on after a pause: the same person has logged in again. */
  readonly resume?: () => void
  /** Returns the number of files that would be lost if the state were dropped now. */
  readonly unfinished?: () => number
}

const registered: PersonalState[] = []
let owner = new AbortController()
let isPaused = false

/** Binds a state to the signed-in person, for as long as the page is open. */
export function registerPersonal(state: PersonalState): void {
  registered.push(state)
  if (isPaused) state.pause?.()
}

/** Creates a store that goes back to its initial value when the person leaves. */
export function createPersonalStore<T>(initial: T): Store<T> {
  const store = createStore(initial)
  registerPersonal({ drop: () => store.set(() => initial) })
  return store
}

/**
 * Returns the signal that aborts as soon as everything of the present person is dropped. Work that outlives a click
 * takes it when it starts, and neither sends nor shows anything after the abort.
 */
export const personSignal = (): AbortSignal => owner.signal

/** Returns the number of files that are still to be sent for the person. */
export const unfinishedFiles = (): number =>
  registered.reduce((sum, { unfinished }) => sum + (unfinished?.() ?? 0), 0)

/** Pauses the person's work. Only the session store calls this function and the two below it. */
export function pausePersonal(): void {
  isPaused = true
  for (const { pause } of registered) pause?.()
}

export function resumePersonal(): void {
  isPaused = false
  for (const { resume } of registered) resume?.()
}

/** Aborts the person's work and empties every state of theirs. What starts afterwards belongs to the next person. */
export function dropPersonal(): void {
  isPaused = false
  const left = owner
  owner = new AbortController()
  left.abort(new DOMException('The person has left.', 'AbortError'))
  for (const { drop } of registered) drop()
}
