import { AppError } from '../../shared/domain/failure.ts'
import { mark } from './messages.ts'
import { giveUp, post, type Thread } from './thread.ts'

/** How long a thread may make no progress although it has work. */
export type Patience = {
  /** From here on it gets no new work, and what it has not begun goes to others. */
  readonly slowMs: number
  /** From here on what it has is given up with `timeout`. */
  readonly deadlineMs: number
  /** How many threads may be slow with tasks on the same thing. */
  readonly mostSlowOnOne: number
  /** How many threads there may be in all, those that do not answer counted. */
  readonly mostThreads: number
}

export const isSlow = ({ lastBeat, quietMs }: Thread, { slowMs }: Patience): boolean =>
  lastBeat !== 0 && quietMs >= slowMs

/** Whether it is at work on something that its calls may hang on. */
export const isBusyOn = ({ pending, marks }: Thread, on: string): boolean =>
  pending.all().some(({ job, slot }) => job.options.on === on && Atomics.load(marks, slot) !== mark.waiting)

export const isStuck = ({ quietMs }: Thread, { deadlineMs }: Patience): boolean => quietMs >= deadlineMs

/** A look at one thread, some time after the last one. An idle thread is asked for a sign by a message that it only has to take. */
export function lookAt(thread: Thread, sinceMs: number, patience: Patience): void {
  const beat = Atomics.load(thread.beats, 0)
  if (beat !== thread.lastBeat || thread.pending.size === 0) {
    thread.lastBeat = beat
    thread.quietMs = 0
    thread.isPinged = false
    return
  }
  thread.quietMs += sinceMs
  if (!thread.isPinged) post(thread, { kind: 'ping' })
  thread.isPinged = true
  if (!isStuck(thread, patience)) return
  const limited = thread.pending.all().filter(({ job }) => job.options.isUnlimited !== true)
  for (const pending of limited)
    giveUp(pending, new AppError('timeout', { reason: 'the disk does not answer' }))
}

/** Calls something again and again while it says that there is a reason to; told how long ago it was called. */
export function createRounds(
  everyMs: number,
  look: (sinceMs: number) => boolean,
): { start(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null
  let lastAtMs = 0
  const stop = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
  }
  const round = (): void => {
    const atMs = performance.now()
    // A process that was stopped for a while has not been waiting.
    const sinceMs = Math.min(atMs - lastAtMs, everyMs * 2)
    lastAtMs = atMs
    if (!look(sinceMs)) stop()
  }
  return {
    start() {
      if (timer !== null) return
      lastAtMs = performance.now()
      timer = setInterval(round, everyMs).unref()
    },
    stop,
  }
}
