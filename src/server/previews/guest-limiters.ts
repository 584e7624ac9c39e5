import { createKeyedLimiter, type KeyedLimiter } from '../concurrency/keyed-limiter.ts'

/** The limits of conversions for guests, which leave a process for users wherever there are several. */
export type GuestPreviewLimiters = {
  /** Limits the conversions of each guest. */
  readonly each: KeyedLimiter
  /** Limits the conversions of all guests together. */
  readonly all: KeyedLimiter
}

/**
 * Creates the limits for a number of processes that convert images. A page of a gallery requests some fifty at once. Users find an idle process
 * wherever there are two.
 */
export const createGuestLimiters = (processes: number): GuestPreviewLimiters => ({
  each: createKeyedLimiter({ maxConcurrent: 2, maxQueued: 200 }),
  all: createKeyedLimiter({
    maxConcurrent: Math.max(1, processes - 1),
    maxQueued: 1000,
    errorCode: 'overloaded',
  }),
})
