import { AppError, type ErrorCode } from '../../shared/domain/failure.ts'

export type KeyedLimiterOptions = {
  /** The maximum number of tasks of one key that run at the same time. */
  readonly maxConcurrent: number
  /**
   * The maximum number of tasks of one key that wait for a slot. Further tasks are rejected immediately. Unlimited by
   * default.
   */
  readonly maxQueued?: number
  /** The time in milliseconds after which a waiting task is rejected. Unlimited by default. */
  readonly maxWaitMs?: number
  /**
   * The error code for rejected tasks. The default, `too-many-tries` (429), means that this caller started too many
   * tasks.
   */
  readonly errorCode?: Extract<ErrorCode, 'too-many-tries' | 'overloaded'>
}

/**
 * Limits the number of tasks that run at the same time, separately for each key. A key identifies a user or a file; a
 * limit for the whole server uses one constant key. Waiting tasks start in the order in which they arrived.
 */
export type KeyedLimiter = {
  /**
   * Waits for a slot of this key. Resolves with the function that releases the slot, which may be called more than
   * once. Rejects with the limiter's error code when the queue is full or the wait took too long, and with `aborted`
   * when the signal aborts.
   */
  acquire(key: number | string, signal?: AbortSignal): Promise<() => void>
}

type LimiterQueue = { running: number; readonly waiting: Set<() => void> }

/** Creates a limiter. The limiter keeps no state for keys without running tasks. */
export function createKeyedLimiter(options: KeyedLimiterOptions): KeyedLimiter {
  const { maxConcurrent, maxQueued = Number.POSITIVE_INFINITY, maxWaitMs } = options
  const queues = new Map<number | string, LimiterQueue>()
  const createError = (): AppError => errors[options.errorCode ?? 'too-many-tries']()

  /**
   * Creates the function that releases a slot. It passes the slot directly to the task that has waited longest, so that
   * no later task can take the slot.
   */
  const releaserOf = (key: number | string, queue: LimiterQueue): (() => void) => {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const [next] = queue.waiting
      if (next !== undefined) {
        queue.waiting.delete(next)
        return next()
      }
      queue.running -= 1
      if (queue.running === 0) queues.delete(key)
    }
  }

  return {
    async acquire(key, signal) {
      if (signal?.aborted === true) throw new AppError('aborted')
      const queue = queues.get(key) ?? { running: 0, waiting: new Set() }
      queues.set(key, queue)
      if (queue.running < maxConcurrent) queue.running += 1
      else if (queue.waiting.size >= maxQueued) throw createError()
      else await waitForSlot(queue, { signal, maxWaitMs, createError })
      return releaserOf(key, queue)
    },
  }
}

/**
 * The limiter and the key of the slot that a task needs. The signal only aborts the wait for the slot, not the task.
 */
export type SlotRequest = {
  readonly limiter: KeyedLimiter
  readonly key: number | string
  readonly signal?: AbortSignal | undefined
}

/** Waits for a slot, runs the task, and releases the slot when the task has settled. */
export async function runLimited<T>(
  { limiter, key, signal }: SlotRequest,
  task: () => Promise<T>,
): Promise<T> {
  const release = await limiter.acquire(key, signal)
  try {
    return await task()
  } finally {
    release()
  }
}

type WaitOptions = {
  readonly signal: AbortSignal | undefined
  readonly maxWaitMs: number | undefined
  readonly createError: () => AppError
}

async function waitForSlot(
  { waiting }: LimiterQueue,
  { signal, maxWaitMs, createError }: WaitOptions,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  waiting.add(resolve)
  /**
   * Removes the task from the queue immediately and rejects it. Otherwise a slot could be passed to a task that no
   * longer waits, and would never be released.
   */
  const stopWaiting = (error: AppError): void => {
    waiting.delete(resolve)
    reject(error)
  }
  const onAbort = (): void => stopWaiting(new AppError('aborted'))
  const timer = maxWaitMs === undefined ? undefined : setTimeout(() => stopWaiting(createError()), maxWaitMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

const errors = {
  'too-many-tries': () =>
    new AppError('too-many-tries', {
      reason: 'too many operations of this kind are in progress',
      retryAfterSeconds: 5,
    }),
  overloaded: () => new AppError('overloaded', { retryAfterSeconds: 2 }),
}
