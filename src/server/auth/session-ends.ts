import { createBag, type Bag } from '../../shared/domain/bag.ts'
import type { SessionStore } from '../records/session-store.ts'

export type SessionLookup = Pick<SessionStore, 'unended' | 'active'>

/** Notifies the operations that run under a session, such as sockets and transfers, when the session ends. */
export type SessionEndNotifier = {
  /** Runs the listener once when the session ends. Returns a function that removes the listener. */
  readonly onEnd: (sessionId: string, listener: () => void) => () => void
  /**
   * Adds a watcher. Components with many running operations use one watcher instead of a listener for each operation.
   */
  readonly watch: (watcher: SessionWatcher) => void
  readonly announce: (sessionIds: readonly string[]) => void
  /**
   * Finds and announces the sessions that another process ended, that reached their absolute end, or that were idle for
   * too long. A running request counts as use of its session. A registered listener does not. Then lets the watchers
   * end the operations that have lost their rights. Does nothing while an earlier call is still running.
   */
  readonly sweep: (sessions: SessionLookup) => Promise<void>
}

/** A component that runs many operations, each under a session or under the pass of a guest. */
export type SessionWatcher = {
  /** Returns the ids of the sessions and guest passes under which operations are running. */
  readonly running: () => Iterable<string>
  readonly ended: (sessionIds: ReadonlySet<string>) => void
  /** Ends the operations whose users have lost a right on which they rely. */
  readonly endWithoutRights: () => Promise<void>
}

export function createSessionEnds(): SessionEndNotifier {
  const listeners = new Map<string, Bag<() => void>>()
  const watchers: SessionWatcher[] = []

  function onEnd(sessionId: string, listener: () => void): () => void {
    const own = listeners.get(sessionId) ?? createBag()
    const leave = own.add(listener)
    listeners.set(sessionId, own)
    return () => {
      leave()
      if (own.size() === 0 && listeners.get(sessionId) === own) listeners.delete(sessionId)
    }
  }

  function announce(sessionIds: readonly string[]): void {
    if (sessionIds.length === 0) return
    for (const watcher of watchers) watcher.ended(new Set(sessionIds))
    for (const id of sessionIds) {
      const own = listeners.get(id)
      listeners.delete(id)
      for (const listener of own?.all() ?? []) listener()
    }
  }

  let isSweeping = false

  async function sweep(sessions: SessionLookup): Promise<void> {
    const running = new Set(watchers.flatMap((watcher) => [...watcher.running()]))
    const listening = [...listeners.keys()].filter((id) => !running.has(id))
    if (isSweeping || running.size + listening.length === 0) return
    isSweeping = true
    try {
      const [unended, living] = [await sessions.unended([...running]), await sessions.active(listening)]
      announce([...running, ...listening].filter((id) => !unended.has(id) && !living.has(id)))
      for (const watcher of watchers) await watcher.endWithoutRights()
    } finally {
      isSweeping = false
    }
  }

  return { onEnd, watch: (watcher) => void watchers.push(watcher), announce, sweep }
}
