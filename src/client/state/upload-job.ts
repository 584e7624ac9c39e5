import type { Permission } from '../../shared/domain/access.ts'
import type { ErrorCode } from '../../shared/domain/failure.ts'
import type { NameFault } from '../../shared/domain/names.ts'
import type { Path } from '../../shared/domain/path.ts'

/**
 * The state of an upload job. `paused` means that the user has paused this job, alone or with all others. `skipped` means that the name was
 * taken and the user kept the existing file.
 */
export type UploadState =
  | 'queued'
  | 'uploading'
  | 'paused'
  | 'done'
  | 'conflict'
  | 'skipped'
  | 'failed'
  | 'cancelled'

/** The reason why an upload job failed: the server's error code, or `offline` when no response arrived. */
export type UploadFailureReason = ErrorCode | 'offline'

/**
 * A name that is refused before anything is sent. It is the name of the upload or of a folder around it. `too-deep` means
 * that each name is allowed, and that the path with all of them is too long.
 */
export type RefusedUploadName = { readonly name: string; readonly fault: NameFault | 'too-deep' }

/** The facts about a failure that the user needs besides the reason. */
type FailureFacts = {
  readonly fault: UploadFailureReason | null
  /** The permission that the user lacks, if the server has named one. */
  readonly permission: Permission | null
  /** The reason with which a program of the administrator has refused the upload. */
  readonly refusal: string | null
  /** The name that is refused before anything is sent. */
  readonly refusedName: RefusedUploadName | null
}

/** A folder to create or a file to send. A job is immutable: each change creates a new object. */
export type UploadJob = {
  readonly id: number
  /**
   * The number of the run that the job belongs to. Jobs that are added while the queue is running belong to the current
   * run. Progress is counted per run.
   */
  readonly run: number
  /** The folder into which the user uploads. It is reported when the run ends. */
  readonly target: Path
  readonly path: Path
  readonly name: string
  /** The content of a file, or null for a folder. */
  readonly file: Blob | null
  readonly sizeBytes: number
  readonly overwrite: boolean
  readonly state: UploadState
  /** The bytes that the browser has sent so far. They stay while the job is paused. */
  readonly sentBytes: number
  /** True while the server cannot be reached. The upload continues by itself once it can. */
  readonly isWaiting: boolean
} & FailureFacts

/** The facts of a job that has not failed. */
export const noFailure: FailureFacts = { fault: null, permission: null, refusal: null, refusedName: null }

export type NewUpload = Pick<UploadJob, 'target' | 'path' | 'name' | 'file' | 'overwrite'> & {
  /** The reason why the job is refused before it is sent, for example an invalid name. */
  readonly fault?: UploadFailureReason
  /** The refused name of a job with the fault `bad-name`. */
  readonly refusedName?: RefusedUploadName
  /** True when the name is taken and the user has decided to keep the existing file. */
  readonly isSkipped?: boolean
}

/** Returns the job of a new upload: queued, unless it is refused or skipped from the start. */
export const jobOfUpload = (
  { isSkipped, ...upload }: NewUpload,
  numbers: Pick<UploadJob, 'id' | 'run'>,
): UploadJob => ({
  ...noFailure,
  ...upload,
  ...numbers,
  sizeBytes: upload.file?.size ?? 0,
  state: upload.fault ? 'failed' : isSkipped ? 'skipped' : 'queued',
  sentBytes: 0,
  isWaiting: false,
})

/**
 * The user's decision about a name that is already taken. `rename` keeps both files. It is offered when the server can
 * add a number to the name.
 */
export type ConflictChoice = 'overwrite' | 'rename' | 'skip' | 'cancel'

/** The result of sending a job. `taken` is not a failure: the user is asked about the existing name. */
export type SendOutcome =
  | 'done'
  | 'taken'
  | {
      readonly fault: UploadFailureReason
      /** The permission that the user lacks, if the server has named one. */
      readonly permission?: Permission | null
      /** The reason with which a program of the administrator has refused the upload. */
      readonly refusal?: string | null
    }

/** The outcome of the jobs that have ended since the last report. */
export type UploadReport = {
  readonly done: number
  readonly failed: number
  /** The target folders of these jobs. */
  readonly folders: readonly Path[]
}

/** Counts how jobs have ended. */
export function countEndings(endings: Iterable<'done' | 'failed'>): Pick<UploadReport, 'done' | 'failed'> {
  const counts = { done: 0, failed: 0 }
  for (const ending of endings) counts[ending] += 1
  return counts
}

/** Returns true for jobs that the user can cancel. */
export const isCancellable = ({ state }: UploadJob): boolean =>
  state === 'queued' || state === 'uploading' || state === 'paused'
/** Returns true for uploaded and skipped jobs, and with `all` for every job that has ended. */
export const isClearable = ({ state }: UploadJob, which: 'finished' | 'all'): boolean =>
  state === 'done' ||
  state === 'skipped' ||
  (which === 'all' && (state === 'failed' || state === 'cancelled'))
/** The reasons that stay however often a job is sent: the user has to choose another file or the file again. */
const finalFaults: readonly (UploadFailureReason | null)[] = ['bad-name', 'changed-meanwhile', 'too-large']

/** Returns true for jobs that can be sent again and may succeed then. */
export const canRetry = ({ state, fault }: UploadJob): boolean =>
  state === 'cancelled' || (state === 'failed' && !finalFaults.includes(fault))

/** Files below this size wait in a separate lane, so that large files do not block them (ux 2.10). */
export const smallFileBytes = 256 * 1024

/** The number of jobs in each state. */
export type UploadCounts = Readonly<Record<UploadState, number>>

/**
 * The totals of the jobs in a run. The tally is updated incrementally, so that a change takes the same time with 10
 * jobs and with 100,000 jobs.
 */
export type UploadTally = {
  readonly counts: UploadCounts
  /** The part of `counts` that are empty folders. */
  readonly folderCounts: UploadCounts
  readonly totalBytes: number
  readonly sentBytes: number
}

export const noUploads: UploadCounts = {
  queued: 0,
  uploading: 0,
  paused: 0,
  done: 0,
  conflict: 0,
  skipped: 0,
  failed: 0,
  cancelled: 0,
}

export const emptyTally: UploadTally = {
  counts: noUploads,
  folderCounts: noUploads,
  totalBytes: 0,
  sentBytes: 0,
}

/** Returns the tally after one job was added (`before` is null), removed (`after` is null) or changed. */
export function updateTally(
  tally: UploadTally,
  before: UploadJob | null,
  after: UploadJob | null,
): UploadTally {
  return {
    counts: updateCounts(tally.counts, before, after),
    folderCounts: updateCounts(tally.folderCounts, folderOnly(before), folderOnly(after)),
    totalBytes: tally.totalBytes - sizeOf(before) + sizeOf(after),
    sentBytes: tally.sentBytes - sentOf(before) + sentOf(after),
  }
}

function updateCounts(counts: UploadCounts, before: UploadJob | null, after: UploadJob | null): UploadCounts {
  const updated = { ...counts }
  if (before) updated[before.state] -= 1
  if (after) updated[after.state] += 1
  return updated
}

const folderOnly = (job: UploadJob | null): UploadJob | null => (job?.file === null ? job : null)

/** Returns the number of bytes that a job contributes to the total. Cancelled and skipped jobs contribute 0. */
const sizeOf = (job: UploadJob | null): number =>
  job === null || job.state === 'cancelled' || job.state === 'skipped' ? 0 : job.sizeBytes

const sentOf = (job: UploadJob | null): number => {
  if (job === null) return 0
  if (job.state === 'done') return job.sizeBytes
  return ['queued', 'uploading', 'paused'].includes(job.state) ? Math.min(job.sentBytes, job.sizeBytes) : 0
}

/** Returns the number of jobs of a run, without cancelled and skipped jobs. */
export const totalJobsOf = ({ counts }: Pick<UploadTally, 'counts'>): number =>
  counts.queued + counts.uploading + counts.paused + counts.done + counts.conflict + counts.failed

/**
 * Returns the percentage of bytes that have been sent, rounded up (specification 4). When there are no bytes to send,
 * returns the percentage of finished jobs.
 */
export function percentOf(tally: Omit<UploadTally, 'folderCounts'>): number {
  const [part, whole] =
    tally.totalBytes > 0
      ? [tally.sentBytes, tally.totalBytes]
      : [tally.counts.done, Math.max(totalJobsOf(tally), 1)]
  return Math.min(100, Math.ceil((part / whole) * 100))
}
