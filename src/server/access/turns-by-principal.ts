import { AppError } from '../../shared/domain/failure.ts'

export type TurnOptions = {
  /** Pieces of work that one may have under way. */
  readonly atOnce: number
  /** How many more may wait; the next is refused at once. All, where nothing is said. */
  readonly mostWaiting?: number
  /** How long one waits before it is refused. For ever, where nothing is said. */
  readonly patienceMs?: number
}

/** A user by their id; a guest by a text that names the address. */
export type Principal = number | string

/** Heavy work, so much at once for each principal (security design 3.8). */
export type TurnsByPrincipal = {
  /** Waits for a turn, and gives how to end it. Rejects with `too-many-tries`, or `aborted` when the signal says so. */
  take(principal: Principal, signal?: AbortSignal): Promise<() => void>
}

type Line = { running: number; readonly waiting: Set<() => void> }

export function createTurnsByPrincipal(options: TurnOptions): TurnsByPrincipal {
  const { atOnce, mostWaiting = Number.POSITIVE_INFINITY } = options
  const lines = new Map<Principal, Line>()

  /** A place goes to the one who waits longest, so that nobody who comes just then takes it. */
  const leaverOf = (principal: Principal, line: Line): (() => void) => {
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
      if (line.running === 0) lines.delete(principal)
    }
  }

  return {
    async take(principal, signal) {
      if (signal?.aborted === true) throw new AppError('aborted')
      const line = lines.get(principal) ?? { running: 0, waiting: new Set() }
      lines.set(principal, line)
      if (line.running < atOnce) line.running += 1
      else if (line.waiting.size >= mostWaiting) throw tooMany()
      else await waitIn(line, { signal, patienceMs: options.patienceMs })
      return leaverOf(principal, line)
    },
  }
}

type Waiting = { readonly signal: AbortSignal | undefined; readonly patienceMs: number | undefined }

async function waitIn({ waiting }: Line, { signal, patienceMs }: Waiting): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  waiting.add(resolve)
  /** Out of the line at once: a place that is given to one who has gone would be lost. */
  const giveUp = (error: AppError): void => {
    waiting.delete(resolve)
    reject(error)
  }
  const onAbort = (): void => giveUp(new AppError('aborted'))
  const timer = patienceMs === undefined ? undefined : setTimeout(() => giveUp(tooMany()), patienceMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

const tooMany = (): AppError =>
  new AppError('too-many-tries', { reason: 'too much of this is under way already', retryAfterSeconds: 5 })
