import { createRoll, type Roll } from '../../shared/domain/roll.ts'
import type { Sessions } from '../records/port.ts'

type Looking = Pick<Sessions, 'unended' | 'living'>

/** Tells whatever runs under a session that it has ended. */
export type SessionEnds = {
  /** Runs the listener once when the session ends; gives back how to stop listening. */
  readonly onEnd: (sessionId: string, listener: () => void) => () => void
  /** For who has far more under way than sessions that end. */
  readonly watch: (watcher: SessionWatcher) => void
  readonly announce: (sessionIds: readonly string[]) => void
  /**
   * Looks for sessions that another process ended, that reached their absolute end, or that were left alone for too long: to listen is
   * no use of a session, a request that runs is one. Not while it looks already.
   */
  readonly sweep: (sessions: Looking) => Promise<void>
}

/** Somebody under whose eyes many things run, each under a session. */
export type SessionWatcher = {
  /** The sessions under which something runs now. */
  readonly running: () => Iterable<string>
  readonly ended: (sessionIds: ReadonlySet<string>) => void
}

export function createSessionEnds(): SessionEnds {
  const listeners = new Map<string, Roll<() => void>>()
  const watchers: SessionWatcher[] = []

  function onEnd(sessionId: string, listener: () => void): () => void {
    const own = listeners.get(sessionId) ?? createRoll()
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

  async function sweep(sessions: Looking): Promise<void> {
    const running = new Set(watchers.flatMap((watcher) => [...watcher.running()]))
    const listening = [...listeners.keys()].filter((id) => !running.has(id))
    if (isSweeping || running.size + listening.length === 0) return
    isSweeping = true
    try {
      const [unended, living] = [await sessions.unended([...running]), await sessions.living(listening)]
      announce([...running, ...listening].filter((id) => !unended.has(id) && !living.has(id)))
    } finally {
      isSweeping = false
    }
  }

  return { onEnd, watch: (watcher) => void watchers.push(watcher), announce, sweep }
}
