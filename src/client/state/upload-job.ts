import type { ErrorCode } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'

/** Where a job stands. `skipped`: the name was taken and the person kept what is there. */
export type UploadState = 'queued' | 'uploading' | 'done' | 'conflict' | 'skipped' | 'failed' | 'cancelled'

/** Why a job failed: the server's word, or `offline` where no answer came. */
export type UploadFault = ErrorCode | 'offline'

/** One folder to make or one file to send. Replaced by a new object whenever it changes. */
export type UploadJob = {
  readonly id: number
  /** Jobs that were added while others ran share a run; progress is counted per run. */
  readonly run: number
  /** The folder that the person chose; it is told about when the run ends. */
  readonly target: Path
  readonly path: Path
  readonly name: string
  /** Null for a folder. */
  readonly file: Blob | null
  readonly sizeBytes: number
  readonly overwrite: boolean
  readonly state: UploadState
  /** What the browser has handed over so far. */
  readonly sentBytes: number
  readonly fault: UploadFault | null
}

export type NewUpload = Pick<UploadJob, 'target' | 'path' | 'name' | 'file' | 'overwrite'> & {
  /** Refused before anything is sent, for instance because of its name. */
  readonly fault?: UploadFault
}

/** What a transport says of a job. A name that is taken is no failure: the person decides. */
export type SendOutcome = 'done' | 'taken' | { readonly fault: UploadFault }

export const isUnderWay = (job: UploadJob): boolean => job.state === 'queued' || job.state === 'uploading'
export const isFinished = (job: UploadJob): boolean => job.state === 'done' || job.state === 'skipped'
/** A name that nothing can have stays refused. */
export const canRetry = (job: UploadJob): boolean =>
  job.state === 'cancelled' || (job.state === 'failed' && job.fault !== 'bad-name')

/** Files smaller than this share the slots that big ones leave (ux 2.10). */
export const smallFileBytes = 256 * 1024

/** Sums over the jobs of a run, kept as they change, so that a step costs the same with 10 and with 100,000 jobs. */
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

/** The tally with one job more, less, or changed. */
export function tallied(tally: UploadTally, before: UploadJob | null, after: UploadJob | null): UploadTally {
  const counts = { ...tally.counts }
  if (before) counts[before.state] -= 1
  if (after) counts[after.state] += 1
  return {
    counts,
    totalBytes: tally.totalBytes - sizeOf(before) + sizeOf(after),
    sentBytes: tally.sentBytes - sentOf(before) + sentOf(after),
  }
}

/** What was given up no longer counts; what failed counts with what arrived of it. */
const sizeOf = (job: UploadJob | null): number =>
  job === null || job.state === 'cancelled' || job.state === 'skipped' ? 0 : job.sizeBytes

const sentOf = (job: UploadJob | null): number => {
  if (job === null) return 0
  if (job.state === 'done') return job.sizeBytes
  return job.state === 'uploading' ? Math.min(job.sentBytes, job.sizeBytes) : 0
}

/** All jobs of a run that still matter, and how many of them are there. */
export const wantedOf = ({ counts }: UploadTally): number =>
  counts.queued + counts.uploading + counts.done + counts.conflict + counts.failed

/** Total sent over total size, rounded up (specification 4); by number of jobs where there are no bytes. */
export function percentOf(tally: UploadTally): number {
  const [part, whole] =
    tally.totalBytes > 0
      ? [tally.sentBytes, tally.totalBytes]
      : [tally.counts.done, Math.max(wantedOf(tally), 1)]
  return Math.min(100, Math.ceil((part / whole) * 100))
}
