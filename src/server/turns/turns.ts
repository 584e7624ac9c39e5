import { AppError, type ErrorCode } from '../../shared/domain/failure.ts'

export type TurnOptions = {
  /** Pieces of work that may be under way in one line. */
  readonly atOnce: number
  /** How many more may wait in it; the next is refused at once. All, where nothing is said. */
  readonly mostWaiting?: number
  /** How long one waits before it is refused. For ever, where nothing is said. */
  readonly patienceMs?: number
  /** How it is refused: as too much of one's own (429), where nothing is said. */
  readonly refusal?: Extract<ErrorCode, 'too-many-tries' | 'overloaded'>
}

/** Lines in which work waits, first come, first served: one of each principal, of each place, or one for all. */
export type Turns = {
  /**
   * Waits for a turn in the line of this name, and gives how to end it. Rejects with the refusal, or with `aborted` when the signal
   * says so.
   */
  take(line: number | string, signal?: AbortSignal): Promise<() => void>
}

type Line = { running: number; readonly waiting: Set<() => void> }

/** Makes the lines; one that nobody is in is forgotten. */
export function createTurns(options: TurnOptions): Turns {
  const { atOnce, mostWaiting = Number.POSITIVE_INFINITY, patienceMs } = options
  const lines = new Map<number | string, Line>()
  const refused = (): AppError => refusals[options.refusal ?? 'too-many-tries']()

  /** A place goes to the one who waits longest, so that nobody who comes just then takes it. */
  const leaverOf = (name: number | string, line: Line): (() => void) => {
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const [next] = line.waiting
      if (next !== undefined) {
        line.waiting.delete(next)
        return next()
      }
      line.running -= 1
      if (line.running === 0) lines.delete(name)
    }
  }

  return {
    async take(name, signal) {
      if (signal?.aborted === true) throw new AppError('aborted')
      const line = lines.get(name) ?? { running: 0, waiting: new Set() }
      lines.set(name, line)
      if (line.running < atOnce) line.running += 1
      else if (line.waiting.size >= mostWaiting) throw refused()
      else await waitIn(line, { signal, patienceMs, refused })
      return leaverOf(name, line)
    },
  }
}

export type Turn = {
  readonly turns: Turns
  readonly line: number | string
  readonly signal?: AbortSignal | undefined
}

/** Does work in its turn, which ends with it. */
export async function inTurn<T>({ turns, line, signal }: Turn, work: () => Promise<T>): Promise<T> {
  const leave = await turns.take(line, signal)
  try {
    return await work()
  } finally {
    leave()
  }
}

type Waiting = {
  readonly signal: AbortSignal | undefined
  readonly patienceMs: number | undefined
  readonly refused: () => AppError
}

async function waitIn({ waiting }: Line, { signal, patienceMs, refused }: Waiting): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  waiting.add(resolve)
  /** Out of the line at once: a place that is given to one who has gone would be lost. */
  const giveUp = (error: AppError): void => {
    waiting.delete(resolve)
    reject(error)
  }
  const onAbort = (): void => giveUp(new AppError('aborted'))
  const timer = patienceMs === undefined ? undefined : setTimeout(() => giveUp(refused()), patienceMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

const refusals = {
  'too-many-tries': () =>
    new AppError('too-many-tries', {
      reason: 'too much of this is under way already',
      retryAfterSeconds: 5,
    }),
  overloaded: () => new AppError('overloaded', { retryAfterSeconds: 2 }),
}
