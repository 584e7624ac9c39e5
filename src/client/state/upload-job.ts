import type { ErrorCode } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'

/** The state of a job. `skipped` means that the name was taken and the person kept the existing file. */
export type UploadState = 'queued' | 'uploading' | 'done' | 'conflict' | 'skipped' | 'failed' | 'cancelled'

/** Why a job failed: the server's error code, or `offline` when no answer came. */
export type UploadFault = ErrorCode | 'offline'

/** A folder to create or a file to send. A job is immutable: each change makes a new object. */
export type UploadJob = {
  readonly id: number
  /**
   * The run that the job belongs to. Jobs that are added while others run join their run; progress is counted for each
   * run.
   */
  readonly run: number
  /** The folder that the person chose, which is reported when the run ends. */
  readonly target: Path
  readonly path: Path
  readonly name: string
  /** Null for a folder. */
  readonly file: Blob | null
  readonly sizeBytes: number
  readonly overwrite: boolean
  readonly state: UploadState
  /** The bytes that the browser has sent so far. */
  readonly sentBytes: number
  readonly fault: UploadFault | null
}

export type NewUpload = Pick<UploadJob, 'target' | 'path' | 'name' | 'file' | 'overwrite'> & {
  /** Why the job is refused before anything is sent, for example because of its name. */
  readonly fault?: UploadFault
}

/** The result of sending a job. A taken name is not a failure: the person decides about it. */
export type SendOutcome = 'done' | 'taken' | { readonly fault: UploadFault }

export const isUnderWay = (job: UploadJob): boolean => job.state === 'queued' || job.state === 'uploading'
export const isFinished = (job: UploadJob): boolean => job.state === 'done' || job.state === 'skipped'
/** True for jobs that can be sent again. A job with an invalid name stays refused. */
export const canRetry = (job: UploadJob): boolean =>
  job.state === 'cancelled' || (job.state === 'failed' && job.fault !== 'bad-name')

/** Files below this size wait in a lane of their own, so that large files do not hold them up (ux 2.10). */
export const smallFileBytes = 256 * 1024

/**
 * Sums over the jobs of a run, updated with each change, so that a change costs the same with 10 and with 100,000 jobs.
 */
export type UploadTally = {
  readonly counts: Readonly<Record<UploadState, number>>
  readonly totalBytes: number
  readonly sentBytes: number
}

export const emptyTally: UploadTally = {
  counts: { queued: 0, uploading: 0, done: 0, conflict: 0, skipped: 0, failed: 0, cancelled: 0 },
  totalBytes: 0,
  sentBytes: 0,
}

/** Returns the tally after one job was added (`before` is null), removed (`after` is null) or changed. */
export function updateTally(
  tally: UploadTally,
  before: UploadJob | null,
  after: UploadJob | null,
): UploadTally {
  const counts = { ...tally.counts }
  if (before) counts[before.state] -= 1
  if (after) counts[after.state] += 1
  return {
    counts,
    totalBytes: tally.totalBytes - sizeOf(before) + sizeOf(after),
    sentBytes: tally.sentBytes - sentOf(before) + sentOf(after),
  }
}

/** Returns the bytes of a job that count for the total. Cancelled and skipped jobs do not count. */
const sizeOf = (job: UploadJob | null): number =>
  job === null || job.state === 'cancelled' || job.state === 'skipped' ? 0 : job.sizeBytes

const sentOf = (job: UploadJob | null): number => {
  if (job === null) return 0
  if (job.state === 'done') return job.sizeBytes
  return job.state === 'uploading' ? Math.min(job.sentBytes, job.sizeBytes) : 0
}

/** Returns the number of jobs of a run, without cancelled and skipped jobs. */
export const totalJobsOf = ({ counts }: UploadTally): number =>
  counts.queued + counts.uploading + counts.done + counts.conflict + counts.failed

/**
 * Returns the sent share of all bytes in percent, rounded up (specification 4); the share of finished jobs when there
 * are no bytes.
 */
export function percentOf(tally: UploadTally): number {
  const [part, whole] =
    tally.totalBytes > 0
      ? [tally.sentBytes, tally.totalBytes]
      : [tally.counts.done, Math.max(totalJobsOf(tally), 1)]
  return Math.min(100, Math.ceil((part / whole) * 100))
}
