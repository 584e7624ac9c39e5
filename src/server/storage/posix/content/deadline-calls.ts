import { AppError, codeOf } from '../../../../shared/domain/failure.ts'
import type { ResourceLease } from './lease.ts'

/**
 * Runs a system call that may hang, with a deadline. With `isFlushing`, the deadline is longer, because the disk may
 * first have to write everything that is in the page cache.
 */
export type DeadlineRunner = <T>(
  call: () => Promise<T>,
  options?: { readonly lease?: Pick<ResourceLease, 'use'> | undefined; readonly isFlushing?: boolean },
) => Promise<T>

/** Limits of the calls on one volume. */
export type DeadlineCallLimits = {
  /**
   * Maximum number of system calls that run at the same time. The limit leaves threads of Node's thread pool free for
   * the rest of the process.
   */
  readonly maxConcurrent: number
  /** Time in milliseconds after which a call fails with `timeout`, although it may still be running. */
  readonly deadlineMs: number
}

/**
 * Factor by which the deadline of a flush is longer than the deadline of other calls, because a flush may have to write
 * everything that is in the page cache.
 */
const flushFactor = 10

/**
 * Creates a function that runs system calls in Node's thread pool with a deadline. When the maximum number of calls is
 * running, further calls wait until earlier calls have ended. When all running calls have timed out, further calls fail
 * immediately with `unavailable`.
 */
export function createDeadlineCalls({ maxConcurrent, deadlineMs }: DeadlineCallLimits): DeadlineRunner {
  const waiting: (() => void)[] = []
  let inFlight = 0
  let timedOut = 0

  async function acquireSlot(): Promise<void> {
    if (timedOut >= maxConcurrent) throw new AppError('unavailable', { retryAfterSeconds: 5 })
    if (inFlight < maxConcurrent) {
      inFlight += 1
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    try {
      await withDeadline(promise, deadlineMs)
    } catch (error) {
      // A slot that was granted too late is passed on to the next waiting call.
      const index = waiting.indexOf(resolve)
      if (index >= 0) waiting.splice(index, 1)
      else releaseSlot()
      throw error
    }
  }

  function releaseSlot(): void {
    const next = waiting.shift()
    if (next === undefined) inFlight -= 1
    else next()
  }

  return async (call, { lease, isFlushing = false } = {}) => {
    const endUse = lease?.use()
    try {
      await acquireSlot()
    } catch (error) {
      endUse?.()
      throw error
    }
    let hasTimedOut = false
    const result = call().finally(() => {
      if (hasTimedOut) timedOut -= 1
      releaseSlot()
      endUse?.()
    })
    return withDeadline(result, isFlushing ? deadlineMs * flushFactor : deadlineMs, () => {
      hasTimedOut = true
      timedOut += 1
    })
  }
}

async function withDeadline<T>(work: Promise<T>, deadlineMs: number, onLate?: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate?.()
      reject(new AppError('timeout', { reason: 'the disk does not respond' }))
    }, deadlineMs)
    const end = (): void => clearTimeout(timer)
    work.then(resolve, reject).finally(end)
  })
}

/** Waits for a call, but ignores its failure when the disk does not respond (`timeout` and `unavailable`). */
export async function ignoreTimeout(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (codeOf(error) !== 'timeout' && codeOf(error) !== 'unavailable') throw error
  })
}
