import type { Path } from '../../shared/domain/path.ts'
import { createStore, type Store } from './store.ts'
import {
  canRetry,
  countEndings,
  emptyTally,
  isClearable,
  isCancellable,
  jobOfUpload,
  noFailure,
  updateTally,
  type ConflictChoice,
  type NewUpload,
  type SendOutcome,
  type UploadJob,
  type UploadReport,
  type UploadTally,
} from './upload-job.ts'
import { createUploadLanes, type UploadLanes } from './upload-lanes.ts'
import { throttle } from './throttle.ts'
import { createUploadRate } from './upload-rate.ts'
import { nothingUploading, summaryOf, type UploadSummary } from './upload-summary.ts'

/** The reports that the sender of a job makes, and the signal that ends the sending. */
export type UploadWatch = {
  /** Aborted with `cancelledByUser` when the user cancels the job, and with another reason when it is paused or held. */
  readonly signal: AbortSignal
  readonly onProgress: (sentBytes: number) => void
  /** Called when the server cannot be reached. The sender continues by itself once it can. */
  readonly onWait: () => void
}

/** The reason with which the signal of a job is aborted when the user cancels the job. */
export const cancelledByUser = new DOMException('The user has cancelled the upload.', 'AbortError')

export type UploadQueueOptions = {
  /** The maximum number of concurrent uploads: 5 by specification 9. */
  readonly atOnce: number
  readonly send: (job: UploadJob, watch: UploadWatch) => Promise<SendOutcome>
  /** Removes what the server has stored of a job that the user cancels while it is not being sent. */
  readonly discard: (job: UploadJob) => void
  /** Asks the user about a name that the server reported as taken when the file was sent. */
  readonly decide: (job: UploadJob) => Promise<ConflictChoice>
  /** Called for each job that was uploaded. */
  readonly onDone: (job: UploadJob) => void
  readonly onEmpty: (report: UploadReport) => void
  readonly nowMs: () => number
  readonly later: (run: () => void, delayMs: number) => void
}

/** The ids of the jobs to which a call applies. */
type ChosenJobs = number | readonly number[] | 'all'

export type UploadQueue = {
  readonly summary: Store<UploadSummary>
  /** Returns the current number of jobs in each state. The summary may be 100 ms old. */
  readonly counts: () => UploadTally['counts']
  readonly add: (jobs: readonly NewUpload[]) => void
  /** Cancels a job, or several. */
  readonly cancel: (chosen: number | readonly number[]) => void
  readonly cancelAll: () => void
  /** Queues a failed or cancelled job again, or several. */
  readonly retry: (chosen: number | readonly number[]) => void
  /** Removes a job that has ended, or several. */
  readonly dismiss: (chosen: number | readonly number[]) => void
  /** Pauses a job, several or all jobs. */
  readonly pause: (chosen: ChosenJobs) => void
  /** Queues a paused job again, or several or all of them. */
  readonly resume: (chosen: ChosenJobs) => void
  /**
   * Removes all jobs except queued and paused jobs, jobs in flight and conflicts. With `finished`, only uploaded and skipped jobs
   * are removed. The jobs whose ids are in `kept` stay.
   */
  readonly clear: (which: 'finished' | 'all', kept?: ReadonlySet<number>) => void
  /** Aborts the requests in flight, queues their jobs again, and starts no job until `release` is called. */
  readonly hold: () => void
  readonly release: () => void
  /** Aborts the requests in flight and removes every job, without a report. The queue is no longer held afterwards. */
  readonly drop: () => void
}

/** Minimum time between two publications of progress (specification 9). */
const publishIntervalMs = 100

type UploadQueueState = {
  readonly options: UploadQueueOptions
  readonly jobs: Map<number, UploadJob>
  readonly lanes: UploadLanes
  readonly controllers: Map<number, AbortController>
  readonly targets: Set<Path>
  readonly publish: () => void
  tally: UploadTally
  /** The outcome of each job that has ended since the last report, by the id of the job. */
  readonly endings: Map<number, 'done' | 'failed'>
  run: number
  lastId: number
  isRunning: boolean
  isHeld: boolean
}

/**
 * Creates a queue of uploads. At most `atOnce` uploads are in flight, the user decides conflicts, and failed jobs can
 * be retried.
 */
export function createUploadQueue(options: UploadQueueOptions): UploadQueue {
  const summary = createStore(nothingUploading)
  const rateOf = createUploadRate(options.nowMs)
  const queue: UploadQueueState = {
    options,
    jobs: new Map(),
    lanes: createUploadLanes(options.atOnce),
    controllers: new Map(),
    targets: new Set(),
    publish: throttle(publishIntervalMs, options, () => summary.set(summaryOf(queue, rateOf))),
    tally: emptyTally,
    endings: new Map(),
    run: 0,
    lastId: 0,
    isRunning: false,
    isHeld: false,
  }
  return {
    summary,
    counts: () => queue.tally.counts,
    add: (jobs) => add(queue, jobs),
    cancel: (chosen) => {
      for (const { id } of chosenJobs(queue, chosen)) cancel(queue, id)
      pump(queue)
    },
    cancelAll: () => {
      for (const job of queue.jobs.values()) if (isCancellable(job)) cancel(queue, job.id)
      pump(queue)
    },
    retry: (chosen) => {
      for (const job of chosenJobs(queue, chosen)) if (canRetry(job)) enqueueAgain(queue, job, job.overwrite)
      pump(queue)
    },
    dismiss: (chosen) => dismiss(queue, chosen),
    pause: (chosen) => {
      for (const job of chosenJobs(queue, chosen)) pauseJob(queue, job)
      pump(queue)
    },
    resume: (chosen) => {
      for (const job of chosenJobs(queue, chosen)) if (job.state === 'paused') continueLater(queue, job)
      pump(queue)
    },
    clear: (which, kept) => {
      for (const job of queue.jobs.values())
        if (isClearable(job, which) && !kept?.has(job.id)) removeJob(queue, job)
      queue.publish()
    },
    hold: () => hold(queue),
    release: () => {
      queue.isHeld = false
      pump(queue)
    },
    drop: () => {
      drop(queue)
      summary.set(nothingUploading)
    },
  }
}

function chosenJobs({ jobs }: UploadQueueState, chosen: ChosenJobs): readonly UploadJob[] {
  if (chosen === 'all') return [...jobs.values()]
  return [chosen].flat().flatMap((id) => jobs.get(id) ?? [])
}

function add(queue: UploadQueueState, jobs: readonly NewUpload[]): void {
  startRun(queue)
  for (const upload of jobs) {
    queue.lastId += 1
    const job = jobOfUpload(upload, { id: queue.lastId, run: queue.run })
    putJob(queue, job)
    if (job.state === 'queued') queue.lanes.add(job)
  }
  pump(queue)
}

/**
 * Starts a run unless the queue is already running. The progress starts from zero, and only failed jobs of earlier runs
 * are kept.
 */
function startRun(queue: UploadQueueState): void {
  if (queue.isRunning) return
  queue.run += 1
  queue.isRunning = true
  queue.tally = emptyTally
  queue.endings.clear()
  for (const job of queue.jobs.values()) if (job.state !== 'failed') queue.jobs.delete(job.id)
}

/** Queues a job once more. A run that is over goes on, so that its other jobs stay in the list. */
function enqueueAgain(queue: UploadQueueState, job: UploadJob, overwrite: boolean): void {
  queue.isRunning = true
  const again: UploadJob = {
    ...job,
    state: 'queued',
    ...noFailure,
    sentBytes: 0,
    isWaiting: false,
    run: queue.run,
    overwrite,
  }
  putJob(queue, again)
  queue.lanes.add(again)
}

function hold(queue: UploadQueueState): void {
  queue.isHeld = true
  for (const id of queue.controllers.keys()) {
    stopSending(queue, id)
    const job = queue.jobs.get(id)
    if (job?.state === 'uploading') continueLater(queue, job)
  }
  queue.publish()
}

/** Queues a job again. Its progress stays, because the server keeps what it has received of a large file. */
function continueLater(queue: UploadQueueState, job: UploadJob): void {
  const again: UploadJob = { ...job, state: 'queued', isWaiting: false }
  putJob(queue, again)
  queue.lanes.add(again)
}

/** Aborts the request of a job. Without its controller, the attempt can no longer change the state of the job. */
function stopSending(queue: UploadQueueState, id: number): void {
  const controller = queue.controllers.get(id)
  queue.controllers.delete(id)
  controller?.abort()
}

function pauseJob(queue: UploadQueueState, job: UploadJob): void {
  if (job.state !== 'queued' && job.state !== 'uploading') return
  putJob(queue, { ...job, state: 'paused', isWaiting: false })
  stopSending(queue, job.id)
}

function drop(queue: UploadQueueState): void {
  const controllers = [...queue.controllers.values()]
  queue.controllers.clear()
  queue.jobs.clear()
  queue.targets.clear()
  queue.tally = emptyTally
  queue.isRunning = false
  queue.isHeld = false
  for (const controller of controllers) controller.abort()
  pump(queue)
}

function pump(queue: UploadQueueState): void {
  if (queue.isHeld) return queue.publish()
  for (let next = queue.lanes.next(); next !== null; next = queue.lanes.next()) {
    const { id, lane } = next
    const job = queue.jobs.get(id)
    // The lane still contains jobs that were cancelled or removed while they were queued.
    if (job?.state === 'queued') void start(queue, job, () => queue.lanes.finish(lane))
    else queue.lanes.finish(lane)
  }
  finishRun(queue)
  queue.publish()
}

async function start(queue: UploadQueueState, waiting: UploadJob, freeSlot: () => void): Promise<void> {
  const controller = new AbortController()
  queue.controllers.set(waiting.id, controller)
  queue.targets.add(waiting.target)
  putJob(queue, { ...waiting, state: 'uploading' })
  const onProgress = (sentBytes: number): void => {
    const job = queue.jobs.get(waiting.id)
    const isCurrent = queue.controllers.get(waiting.id) === controller
    if (isCurrent && job?.state === 'uploading') putJob(queue, { ...job, sentBytes, isWaiting: false })
    queue.publish()
  }
  const onWait = (): void => {
    const job = queue.jobs.get(waiting.id)
    const isCurrent = queue.controllers.get(waiting.id) === controller
    if (isCurrent && job?.state === 'uploading') putJob(queue, { ...job, isWaiting: true })
    queue.publish()
  }
  const outcome = await queue.options
    .send(waiting, { signal: controller.signal, onProgress, onWait })
    .catch((): SendOutcome => ({ fault: 'internal' }))
  // The slot is freed only now, because an aborted request keeps its connection until the request has really ended.
  freeSlot()
  if (queue.controllers.get(waiting.id) === controller) {
    queue.controllers.delete(waiting.id)
    const job = queue.jobs.get(waiting.id)
    if (job?.state === 'uploading') applyOutcome(queue, job, outcome)
  }
  pump(queue)
}

function applyOutcome(queue: UploadQueueState, job: UploadJob, outcome: SendOutcome): void {
  if (outcome === 'done') {
    putJob(queue, { ...job, state: 'done', sentBytes: job.sizeBytes })
    queue.options.onDone(job)
  } else if (outcome === 'taken') void resolveConflict(queue, job)
  else putJob(queue, { ...job, ...outcome, state: 'failed', sentBytes: 0, isWaiting: false })
}

async function resolveConflict(queue: UploadQueueState, taken: UploadJob): Promise<void> {
  const job: UploadJob = { ...taken, state: 'conflict', sentBytes: 0 }
  putJob(queue, job)
  const choice = await queue.options.decide(job)
  if (queue.jobs.get(job.id)?.state !== 'conflict') return
  if (choice === 'overwrite') enqueueAgain(queue, job, true)
  else putJob(queue, { ...job, state: choice === 'skip' ? 'skipped' : 'cancelled' })
  pump(queue)
}

function cancel(queue: UploadQueueState, id: number): void {
  const job = queue.jobs.get(id)
  if (!job || !isCancellable(job)) return
  const controller = queue.controllers.get(id)
  putJob(queue, { ...job, state: 'cancelled', sentBytes: 0 })
  if (controller === undefined) queue.options.discard(job)
  else controller.abort(cancelledByUser)
}

function finishRun(queue: UploadQueueState): void {
  const { queued, uploading, paused, conflict } = queue.tally.counts
  if (!queue.isRunning || queued + uploading + paused + conflict > 0) return
  queue.isRunning = false
  const folders = [...queue.targets]
  queue.targets.clear()
  queue.options.onEmpty({ ...countEndings(queue.endings.values()), folders })
  queue.endings.clear()
}

function dismiss(queue: UploadQueueState, chosen: ChosenJobs): void {
  for (const job of chosenJobs(queue, chosen)) if (isClearable(job, 'all')) removeJob(queue, job)
  queue.publish()
}

function removeJob(queue: UploadQueueState, job: UploadJob): void {
  // The progress of a run that goes on counts all its jobs, except failures that the user has dismissed.
  if ((!queue.isRunning || job.state === 'failed') && job.run === queue.run)
    queue.tally = updateTally(queue.tally, job, null)
  queue.jobs.delete(job.id)
}

function putJob(queue: UploadQueueState, job: UploadJob): void {
  const before = queue.jobs.get(job.id) ?? null
  queue.tally = updateTally(queue.tally, before?.run === queue.run ? before : null, job)
  queue.jobs.set(job.id, job)
  if (job.state === 'done' || job.state === 'failed') queue.endings.set(job.id, job.state)
  else queue.endings.delete(job.id)
}
