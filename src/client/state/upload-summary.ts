import { emptyTally, percentOf, type UploadJob, type UploadTally } from './upload-job.ts'
import { type createUploadRate, noRate, type UploadRate } from './upload-rate.ts'

/**
 * The state of the queue in one word, for the line of the closed tray. `waiting`: no file that is under way reaches the
 * server. `held`: the session has ended. `deciding`: only uploads with taken names are left, and the user has not answered about them yet.
 */
export type UploadPhase = 'uploading' | 'paused' | 'waiting' | 'held' | 'deciding' | 'over'

/** The state that the upload tray shows. It is published at most every 100 ms. */
export type UploadSummary = {
  readonly isRunning: boolean
  /** True while nothing is sent because the session has ended. */
  readonly isHeld: boolean
  /** True while nothing is sent because the user has paused all jobs that are left. */
  readonly isPaused: boolean
  readonly phase: UploadPhase
  readonly jobs: readonly UploadJob[]
  readonly tally: UploadTally
  /** The number of failed jobs in the list. Unlike the tally, it counts those of earlier runs. */
  readonly failures: number
  readonly percent: number
  readonly rate: UploadRate
}

export const nothingUploading: UploadSummary = {
  isRunning: false,
  isHeld: false,
  isPaused: false,
  phase: 'over',
  jobs: [],
  tally: emptyTally,
  failures: 0,
  percent: 0,
  rate: noRate,
}

type SummarizedQueue = {
  readonly jobs: ReadonlyMap<number, UploadJob>
  readonly tally: UploadTally
  readonly isRunning: boolean
  readonly isHeld: boolean
}

/** Returns the summary of a queue. `rateOf` measures the speed from one summary to the next. */
export function summaryOf(
  queue: SummarizedQueue,
  rateOf: ReturnType<typeof createUploadRate>,
): UploadSummary {
  const { tally, isRunning, isHeld } = queue
  const { queued, uploading, paused, conflict } = tally.counts
  const isPaused = paused > 0 && queued + uploading + conflict === 0
  const jobs = [...queue.jobs.values()]
  const phase = phaseOf({ ...queue, jobs, isPaused })
  return {
    isRunning,
    isHeld,
    isPaused,
    phase,
    jobs,
    tally,
    failures: jobs.reduce((sum, { state }) => sum + Number(state === 'failed'), 0),
    percent: isRunning ? percentOf(tally) : 0,
    rate: rateOf(phase === 'uploading' ? tally : null),
  }
}

type QueueState = Pick<UploadSummary, 'jobs' | 'tally' | 'isRunning' | 'isHeld' | 'isPaused'>

function phaseOf({ jobs, tally, isRunning, isHeld, isPaused }: QueueState): UploadPhase {
  if (!isRunning) return 'over'
  if (isPaused) return 'paused'
  if (isHeld) return 'held'
  if (tally.counts.queued + tally.counts.uploading === 0) return 'deciding'
  const underWay = jobs.filter(({ state }) => state === 'uploading')
  return underWay.length > 0 && underWay.every(({ isWaiting }) => isWaiting) ? 'waiting' : 'uploading'
}
