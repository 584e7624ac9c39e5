import { AppError } from '../../shared/domain/failure.ts'

/** Runs work when its turn comes. `overloaded` at once when too much waits already. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** At most `atOnce` pieces of work run together, and at most `waiting` more wait, first come first served. */
export function createTurns({
  atOnce,
  waiting,
}: {
  readonly atOnce: number
  readonly waiting: number
}): Turns {
  const queue: (() => void)[] = []
  let running = 0

  /** A finished piece hands its place on, so that nobody who comes just then takes it. */
  function leave(): void {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }

  async function enter(): Promise<void> {
    if (running < atOnce) {
      running += 1
      return
    }
    if (queue.length >= waiting) throw new AppError('overloaded', { retryAfterSeconds: 2 })
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
