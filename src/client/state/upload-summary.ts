import { emptyTally, percentOf, type UploadJob, type UploadTally } from './upload-job.ts'
import { type createUploadRate, noRate, type UploadRate } from './upload-rate.ts'

/** The state that the upload tray shows. It is published at most every 100 ms. */
export type UploadSummary = {
  readonly isRunning: boolean
  /** True while nothing is sent because the session has ended. */
  readonly isHeld: boolean
  /** True while nothing is sent because the user has paused all jobs that are left. */
  readonly isPaused: boolean
  readonly jobs: readonly UploadJob[]
  readonly tally: UploadTally
  readonly percent: number
  readonly rate: UploadRate
}

export const nothingUploading: UploadSummary = {
  isRunning: false,
  isHeld: false,
  isPaused: false,
  jobs: [],
  tally: emptyTally,
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
  return {
    isRunning,
    isHeld,
    isPaused,
    jobs: [...queue.jobs.values()],
    tally,
    percent: isRunning ? percentOf(tally) : 0,
    rate: rateOf(isRunning && !isHeld && !isPaused ? tally : null),
  }
}
