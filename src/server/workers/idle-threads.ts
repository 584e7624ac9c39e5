import type { PoolThread } from './worker-thread.ts'

/**
 * Interval in milliseconds at which a pool ends the threads that have had no job since the previous check. An idle
 * thread therefore ends after 15 to 30 s. Its heap takes 10 to 15 MB, and starting a new thread takes 30 to 40 ms.
 */
const defaultIntervalMs = 15_000

export type IdleThreadReaperDependencies = {
  readonly threads: readonly PoolThread[]
  readonly endThread: (thread: PoolThread) => void
  readonly intervalMs: number | undefined
}

/**
 * Periodically ends idle threads. `start` must be called for each new thread. The timer stops by itself when the pool
 * has no threads.
 */
export type IdleThreadReaper = { start(): void; stop(): void }

export function createIdleThreadReaper({
  threads,
  endThread,
  intervalMs = defaultIntervalMs,
}: IdleThreadReaperDependencies): IdleThreadReaper {
  let timer: NodeJS.Timeout | null = null

  function stop(): void {
    if (timer !== null) clearInterval(timer)
    timer = null
  }

  function endIdle(): void {
    for (const thread of threads.slice()) {
      const isIdle = thread.pending.size === 0 && thread.lastJobId === thread.lastJobIdSeen
      thread.lastJobIdSeen = thread.lastJobId
      if (isIdle) endThread(thread)
    }
    if (threads.length === 0) stop()
  }

  return { start: () => void (timer ??= setInterval(endIdle, intervalMs).unref()), stop }
}
