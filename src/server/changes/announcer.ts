import type { Announce, Bracketing, Change } from './change.ts'

export type Announcer = {
  readonly announce: Announce
  /** Gives back how to stop hearing. A listener that has work with a change gives its end. */
  readonly subscribe: (listener: (change: Change) => void | Promise<void>) => () => void
  /** Resolves when the listeners are done with all that was announced so far: an answer tells of nothing that is not true yet. */
  readonly settled: () => Promise<void>
  /** What is between the intent and the change. */
  readonly bracket: Bracketing
  /** Sets who has a say in changes before they are made; nobody until then. */
  readonly letSpeak: (bracketing: Bracketing) => void
}

const nobodySpeaks: Bracketing = async () => ({ before: null, after: null })

/** Tells every subscriber of every change, in order. One that throws keeps nobody from hearing, and undoes nothing. */
export function createAnnouncer(onFault: (error: unknown) => void): Announcer {
  const listeners = new Set<(change: Change) => void | Promise<void>>()
  const working = new Set<Promise<void>>()
  let bracketing = nobodySpeaks

  function follow(work: Promise<void>): void {
    const done = work.catch(onFault).finally(() => working.delete(done))
    working.add(done)
  }
  return {
    announce(change) {
      for (const listener of listeners) {
        try {
          const work = listener(change)
          if (work !== undefined) follow(work)
        } catch (error) {
          onFault(error)
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    settled: async () => void (await Promise.all(working)),
    bracket: (intent) => bracketing(intent),
    letSpeak(speaker) {
      bracketing = speaker
    },
  }
}
