import type { Path } from '../../shared/domain/path.ts'
import { createStore, type Store } from './store.ts'
import {
  canRetry,
  emptyTally,
  isFinished,
  isUnderWay,
  percentOf,
  tallied,
  type NewUpload,
  type SendOutcome,
  type UploadJob,
  type UploadTally,
} from './upload-job.ts'
import { createUploadLanes, type UploadLanes } from './upload-lanes.ts'
import { createUploadRate, noRate, type UploadRate } from './upload-rate.ts'

/** What to do with a name that is taken; `rename` keeps both and is offered where the server can number names. */
export type ConflictChoice = 'overwrite' | 'rename' | 'skip' | 'cancel'

/** What the tray shows. A new one at most every 100 ms. */
export type UploadSummary = {
  readonly isRunning: boolean
  readonly jobs: readonly UploadJob[]
  readonly tally: UploadTally
  readonly percent: number
  readonly rate: UploadRate
}

export type UploadReport = {
  readonly done: number
  readonly failed: number
  /** Folders that something was sent into. */
  readonly folders: readonly Path[]
}

export type UploadOptions = {
  /** Concurrent uploads: 5 by specification 9. */
  readonly atOnce: number
  readonly send: (
    job: UploadJob,
    watch: { readonly signal: AbortSignal; readonly onProgress: (sentBytes: number) => void },
  ) => Promise<SendOutcome>
  /** Asks the person about a name that turned out to be taken only when the file was sent. */
  readonly decide: (job: UploadJob) => Promise<ConflictChoice>
  /** Told of each job that went well. */
  readonly onDone: (job: UploadJob) => void
  readonly onEmpty: (report: UploadReport) => void
  readonly nowMs: () => number
  readonly later: (run: () => void, delayMs: number) => void
}

export type UploadQueue = {
  readonly summary: Store<UploadSummary>
  readonly add: (jobs: readonly NewUpload[]) => void
  readonly cancel: (id: number) => void
  readonly cancelAll: () => void
  readonly retry: (id: number) => void
  /** Forgets everything that is no longer under way; with `finished` only what went well. */
  readonly clear: (which: 'finished' | 'all') => void
}

export const nothingUploading: UploadSummary = {
  isRunning: false,
  jobs: [],
  tally: emptyTally,
  percent: 0,
  rate: noRate,
}

/** Between two publications of progress (specification 9). */
const progressMs = 100

type Inside = {
  readonly options: UploadOptions
  readonly jobs: Map<number, UploadJob>
  readonly lanes: UploadLanes
  readonly stops: Map<number, AbortController>
  readonly touched: Set<Path>
  readonly publish: () => void
  tally: UploadTally
  run: number
  lastId: number
  isRunning: boolean
}

/** A queue of uploads: at most `atOnce` under way, conflicts decided by the person, failures kept for a retry. */
export function createUploadQueue(options: UploadOptions): UploadQueue {
  const summary = createStore(nothingUploading)
  const rateOf = createUploadRate(options.nowMs)
  const queue: Inside = {
    options,
    jobs: new Map(),
    lanes: createUploadLanes(options.atOnce),
    stops: new Map(),
    touched: new Set(),
    publish: atMostEvery(progressMs, options, () => summary.set(summaryOf(queue, rateOf))),
    tally: emptyTally,
    run: 0,
    lastId: 0,
    isRunning: false,
  }
  return {
    summary,
    add: (jobs) => add(queue, jobs),
    cancel: (id) => {
      cancel(queue, id)
      pump(queue)
    },
    cancelAll: () => {
      for (const job of queue.jobs.values()) if (isUnderWay(job)) cancel(queue, job.id)
      pump(queue)
    },
    retry: (id) => {
      const job = queue.jobs.get(id)
      if (job && canRetry(job)) enqueueAgain(queue, job, job.overwrite)
      pump(queue)
    },
    clear: (which) => {
      for (const job of queue.jobs.values()) {
        if (which === 'all' ? !isUnderWay(job) && job.state !== 'conflict' : isFinished(job))
          queue.jobs.delete(job.id)
      }
      queue.publish()
    },
  }
}

function add(queue: Inside, jobs: readonly NewUpload[]): void {
  startRun(queue)
  for (const { fault, ...wanted } of jobs) {
    queue.lastId += 1
    const job: UploadJob = {
      ...wanted,
      id: queue.lastId,
      run: queue.run,
      sizeBytes: wanted.file?.size ?? 0,
      state: fault ? 'failed' : 'queued',
      sentBytes: 0,
      fault: fault ?? null,
    }
    put(queue, job)
    if (!fault) queue.lanes.add(job)
  }
  pump(queue)
}

/** Jobs that went well in an earlier run make room; progress starts from zero. */
function startRun(queue: Inside): void {
  if (queue.isRunning) return
  queue.run += 1
  queue.isRunning = true
  queue.tally = emptyTally
  for (const job of queue.jobs.values()) if (job.state !== 'failed') queue.jobs.delete(job.id)
}

function enqueueAgain(queue: Inside, job: UploadJob, overwrite: boolean): void {
  startRun(queue)
  const again: UploadJob = { ...job, state: 'queued', sentBytes: 0, fault: null, run: queue.run, overwrite }
  put(queue, again)
  queue.lanes.add(again)
}

function pump(queue: Inside): void {
  for (let next = queue.lanes.next(); next !== null; next = queue.lanes.next()) {
    const { id, lane } = next
    const job = queue.jobs.get(id)
    // What was cancelled or forgotten while it waited still stands in its lane.
    if (job?.state === 'queued') void start(queue, job, () => queue.lanes.finish(lane))
    else queue.lanes.finish(lane)
  }
  finishRun(queue)
  queue.publish()
}

async function start(queue: Inside, waiting: UploadJob, leave: () => void): Promise<void> {
  const stop = new AbortController()
  queue.stops.set(waiting.id, stop)
  queue.touched.add(waiting.target)
  put(queue, { ...waiting, state: 'uploading' })
  const onProgress = (sentBytes: number): void => {
    const job = queue.jobs.get(waiting.id)
    if (job?.state === 'uploading') put(queue, { ...job, sentBytes })
    queue.publish()
  }
  const outcome = await queue.options
    .send(waiting, { signal: stop.signal, onProgress })
    .catch((): SendOutcome => ({ fault: 'internal' }))
  // Only now is the slot free: a cancelled request holds its connection until it is really gone.
  queue.stops.delete(waiting.id)
  leave()
  const job = queue.jobs.get(waiting.id)
  if (job?.state === 'uploading') settle(queue, job, outcome)
  pump(queue)
}

function settle(queue: Inside, job: UploadJob, outcome: SendOutcome): void {
  if (outcome === 'done') {
    put(queue, { ...job, state: 'done', sentBytes: job.sizeBytes })
    queue.options.onDone(job)
  } else if (outcome === 'taken') void askAbout(queue, job)
  else put(queue, { ...job, state: 'failed', sentBytes: 0, fault: outcome.fault })
}

async function askAbout(queue: Inside, taken: UploadJob): Promise<void> {
  const job: UploadJob = { ...taken, state: 'conflict', sentBytes: 0 }
  put(queue, job)
  const choice = await queue.options.decide(job)
  if (queue.jobs.get(job.id)?.state !== 'conflict') return
  if (choice === 'overwrite') enqueueAgain(queue, job, true)
  else put(queue, { ...job, state: choice === 'skip' ? 'skipped' : 'cancelled' })
  pump(queue)
}

function cancel(queue: Inside, id: number): void {
  const job = queue.jobs.get(id)
  if (!job || !isUnderWay(job)) return
  put(queue, { ...job, state: 'cancelled', sentBytes: 0 })
  queue.stops.get(id)?.abort()
}

function finishRun(queue: Inside): void {
  const { queued, uploading, conflict, done, failed } = queue.tally.counts
  if (!queue.isRunning || queued + uploading + conflict > 0) return
  queue.isRunning = false
  const folders = [...queue.touched]
  queue.touched.clear()
  queue.options.onEmpty({ done, failed, folders })
}

function put(queue: Inside, job: UploadJob): void {
  const before = queue.jobs.get(job.id) ?? null
  queue.tally = tallied(queue.tally, before?.run === queue.run ? before : null, job)
  queue.jobs.set(job.id, job)
}

function summaryOf(queue: Inside, rateOf: ReturnType<typeof createUploadRate>): UploadSummary {
  const { tally, isRunning } = queue
  return {
    isRunning,
    jobs: [...queue.jobs.values()],
    tally,
    percent: isRunning ? percentOf(tally) : 0,
    rate: rateOf(isRunning ? tally : null),
  }
}

/** Runs at once, then again at most every so often: the last call is never lost. */
function atMostEvery(delayMs: number, { later }: Pick<UploadOptions, 'later'>, run: () => void): () => void {
  let isResting = false
  let isWanted = false
  function rest(): void {
    isResting = true
    later(() => {
      isResting = false
      if (!isWanted) return
      isWanted = false
      run()
      rest()
    }, delayMs)
  }
  return () => {
    isWanted = isResting
    if (isResting) return
    run()
    rest()
  }
}
