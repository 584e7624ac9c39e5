import { AppError, codeOf } from '../../../../shared/domain/failure.ts'
import type { Lease } from './lease.ts'

/**
 * Makes a system call that may hang. With `isFlushing`, the call may take as long as the disk needs to write everything
 * that is still in the page cache.
 */
export type DeadlineRunner = <T>(
  call: () => Promise<T>,
  options?: { readonly lease?: Pick<Lease, 'use'> | undefined; readonly isFlushing?: boolean },
) => Promise<T>

/** Limits of the calls on one volume. */
export type CallLimits = {
  /**
   * Maximum number of calls in flight. It is limited because the rest of the process uses Node's thread pool as well.
   */
  readonly maxConcurrent: number
  /** Time in milliseconds after which a call is given up and fails with `timeout`. */
  readonly deadlineMs: number
}

/** How many times longer a flush may take than any other call. */
const flushFactor = 10

/**
 * Creates a function that makes calls on a volume's bytes in Node's thread pool. Calls above the limit wait for earlier
 * calls. When the limit is reached and all calls in flight have been given up, further calls fail immediately with
 * `unavailable`.
 */
export function createDeadlineCalls({ maxConcurrent, deadlineMs }: CallLimits): DeadlineRunner {
  const waiting: (() => void)[] = []
  let inFlight = 0
  let givenUp = 0

  async function enter(): Promise<void> {
    if (givenUp >= maxConcurrent) throw new AppError('unavailable', { retryAfterSeconds: 5 })
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
      const at = waiting.indexOf(resolve)
      if (at >= 0) waiting.splice(at, 1)
      else leave()
      throw error
    }
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) inFlight -= 1
    else next()
  }

  return async (call, { lease, isFlushing = false } = {}) => {
    const endUse = lease?.use()
    try {
      await enter()
    } catch (error) {
      endUse?.()
      throw error
    }
    let isGivenUp = false
    const real = call().finally(() => {
      if (isGivenUp) givenUp -= 1
      leave()
      endUse?.()
    })
    return withDeadline(real, isFlushing ? deadlineMs * flushFactor : deadlineMs, () => {
      isGivenUp = true
      givenUp += 1
    })
  }
}

async function withDeadline<T>(work: Promise<T>, deadlineMs: number, onLate?: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate?.()
      reject(new AppError('timeout', { reason: 'the disk does not answer' }))
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
