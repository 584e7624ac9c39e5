import { AppError } from '../../shared/domain/failure.ts'

/** Waits for a place of whoever `principal` names, and gives what frees it again. */
export type ArchiveTurns = (principal: string, signal: AbortSignal) => Promise<() => void>

export type TurnLimits = {
  readonly atOnce: number
  readonly waiting: number
  readonly waitMs: number
}

/** What one person may have under way (security 3.8): packing is heavy, and somebody may ask for many at once. */
export const archiveLimits: TurnLimits = { atOnce: 2, waiting: 8, waitMs: 10_000 }

type Line = { running: number; readonly waiting: (() => void)[] }

/** First come, first served, for each principal on their own. Too many, or too long a wait, is `too-many-tries`. */
export function createArchiveTurns({ atOnce, waiting, waitMs }: TurnLimits): ArchiveTurns {
  const lines = new Map<string, Line>()

  function leave(principal: string, line: Line): void {
    const next = line.waiting.shift()
    if (next !== undefined) return next()
    line.running -= 1
    if (line.running === 0) lines.delete(principal)
  }

  return async (principal, signal) => {
    if (signal.aborted) throw new AppError('aborted')
    const line = lines.get(principal) ?? { running: 0, waiting: [] }
    lines.set(principal, line)
    if (line.running < atOnce) line.running += 1
    else if (line.waiting.length >= waiting) throw tooMany()
    else await waitIn(line, { signal, waitMs })
    let hasLeft = false
    return () => {
      if (!hasLeft) leave(principal, line)
      hasLeft = true
    }
  }
}

const tooMany = (): AppError =>
  new AppError('too-many-tries', { reason: 'too many archives at once', retryAfterSeconds: 10 })

/** Resolves when a place is handed on; whoever gives up leaves the line. */
async function waitIn(
  { waiting }: Line,
  { signal, waitMs }: { readonly signal: AbortSignal; readonly waitMs: number },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  waiting.push(resolve)
  const giveUp = (error: AppError): void => {
    const at = waiting.indexOf(resolve)
    if (at < 0) return
    waiting.splice(at, 1)
    reject(error)
  }
  const onAbort = (): void => giveUp(new AppError('aborted'))
  const timer = setTimeout(() => giveUp(tooMany()), waitMs)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
