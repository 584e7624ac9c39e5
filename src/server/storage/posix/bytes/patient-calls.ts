import { AppError, codeOf } from '../../../../shared/domain/failure.ts'
import type { Lease } from './lease.ts'

/** Makes a call of the system that may hang. `flushing`: it may take as long as a disk needs for all that was not written yet. */
export type PatientCalls = <T>(
  call: () => Promise<T>,
  wish?: { readonly lease?: Pick<Lease, 'use'> | undefined; readonly isFlushing?: boolean },
) => Promise<T>

export type CallLimits = {
  /** How many may be under way: the rest of the process has its threads from the same pool. */
  readonly most: number
  /** After this it is given up, with `timeout`. */
  readonly deadlineMs: number
}

/** How much longer a flush may take than any other call. */
const flushFactor = 10

/**
 * Calls on a volume's bytes, made by Node's own threads. Those beyond the limit wait for the others; when all that may be under way
 * were given up, the next are `unavailable` at once.
 */
export function createPatientCalls({ most, deadlineMs }: CallLimits): PatientCalls {
  const waiting: (() => void)[] = []
  let underWay = 0
  let givenUp = 0

  async function enter(): Promise<void> {
    if (givenUp >= most) throw new AppError('unavailable', { retryAfterSeconds: 5 })
    if (underWay < most) {
      underWay += 1
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    try {
      await withDeadline(promise, deadlineMs)
    } catch (error) {
      // The place that came too late is the next one's.
      const at = waiting.indexOf(resolve)
      if (at >= 0) waiting.splice(at, 1)
      else leave()
      throw error
    }
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) underWay -= 1
    else next()
  }

  return async (call, { lease, isFlushing = false } = {}) => {
    const letGo = lease?.use()
    try {
      await enter()
    } catch (error) {
      letGo?.()
      throw error
    }
    let isGivenUp = false
    const real = call().finally(() => {
      if (isGivenUp) givenUp -= 1
      leave()
      letGo?.()
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

/** Waits for a call that nobody needs the outcome of in time. */
export async function orLate(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (codeOf(error) !== 'timeout' && codeOf(error) !== 'unavailable') throw error
  })
}
