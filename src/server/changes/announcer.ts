import type { Announce, Change } from './change.ts'

export type Announcer = {
  readonly announce: Announce
  /** Gives back how to stop hearing. */
  readonly subscribe: (listener: (change: Change) => void) => () => void
}

/** Tells every subscriber of every change, in order. One that throws keeps nobody from hearing, and undoes nothing. */
export function createAnnouncer(onFault: (error: unknown) => void): Announcer {
  const listeners = new Set<(change: Change) => void>()
  return {
    announce(change) {
      for (const listener of listeners) {
        try {
          listener(change)
        } catch (error) {
          onFault(error)
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
