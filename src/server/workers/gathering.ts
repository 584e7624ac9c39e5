import { isUnbegun, move } from './thread.ts'
import type { Job, Pending, Thread } from './thread.ts'

/** Short jobs that one thread may be woken for at once. */
const mostGathered = 8
/** After this, what a thread has not begun of them is shared out: a disk may be slow. */
const gatheredMs = 2

export type GatheringNeeds = {
  readonly threads: readonly Thread[]
  /** The thread that a job would have otherwise. */
  readonly pick: (job: Job) => Thread
  /** One that has nothing to do, begun for that where there may be more. */
  readonly idleBut: (busy: Thread) => Thread | undefined
  /** Whether a job would be better off with an idle thread. */
  readonly mayMove: (pending: Pending) => boolean
}

/** Where short jobs go. */
export type Gathering = {
  readonly placeFor: (job: Job) => Thread
  /** They go elsewhere from now on. */
  readonly leave: () => void
  readonly stop: () => void
}

/** Short jobs go to one thread as long as it keeps up: to wake another costs more than the wait for those before. */
export function createGathering(needs: GatheringNeeds): Gathering {
  let gathered: { readonly thread: Thread; readonly on: string | undefined } | null = null
  let timer: NodeJS.Timeout | null = null
  const shareLater = (): NodeJS.Timeout => setTimeout(share, gatheredMs).unref()

  /** Gives idle threads what others have not begun. */
  function share(): void {
    const waiting = needs.threads.flatMap(({ pending }) => pending.all().slice(1)).filter(isWaiting)
    for (const pending of waiting) {
      const idle = needs.idleBut(pending.thread)
      if (idle === undefined) break
      move(pending, () => idle)
    }
    if (waiting.length > 0) gathered = null
    timer = waiting.length > 0 ? shareLater() : null
  }

  const isWaiting = (pending: Pending): boolean =>
    isShort(pending) && !pending.isGivenUp && isUnbegun(pending) && needs.mayMove(pending)

  return {
    placeFor(job) {
      const { on } = job.options
      if (gathered !== null && gathered.on === on && keepsUp(gathered.thread)) {
        if (gathered.thread.pending.size > 0) timer ??= shareLater()
        return gathered.thread
      }
      const thread = needs.pick(job)
      gathered = thread.pending.size === 0 ? { thread, on } : null
      return thread
    },
    leave: () => (gathered = null),
    stop: () => timer !== null && clearTimeout(timer),
  }
}

const isShort = ({ job }: Pending): boolean => job.options.isShort === true

const keepsUp = ({ pending }: Thread): boolean => pending.size < mostGathered && pending.every(isShort)
