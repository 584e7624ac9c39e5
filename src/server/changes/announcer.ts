import type { Announce, Bracketing, Change } from './change.ts'

export type Announcer = {
  readonly announce: Announce
  /** Gives back how to stop hearing. */
  readonly subscribe: (listener: (change: Change) => void) => () => void
  /** What is between the intent and the change. */
  readonly bracket: Bracketing
  /** Sets who has a say in changes before they are made; nobody until then. */
  readonly letSpeak: (bracketing: Bracketing) => void
}

const nobodySpeaks: Bracketing = async () => ({ before: null, after: null })

/** Tells every subscriber of every change, in order. One that throws keeps nobody from hearing, and undoes nothing. */
export function createAnnouncer(onFault: (error: unknown) => void): Announcer {
  const listeners = new Set<(change: Change) => void>()
  let bracketing = nobodySpeaks
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
    bracket: (intent) => bracketing(intent),
    letSpeak(speaker) {
      bracketing = speaker
    },
  }
}
