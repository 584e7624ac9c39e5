import { clientLimits } from '../../shared/domain/limits/client-limits.ts'
import { parentOf, type Path } from '../../shared/domain/path.ts'
import { isAborted, statusOf } from '../api/call.ts'
import { sentences } from '../i18n/joined-texts.ts'
import { t } from '../i18n/translate.ts'
import { announce } from '../state/announcements.ts'
import { createPersonalStore, userSignal, registerPersonal } from '../state/personal.ts'
import { openFolder, openFolderAt } from '../state/open-folder.ts'
import { canRetry, type UploadReport } from '../state/upload-job.ts'
import { createUploadQueue } from '../state/upload-queue.ts'
import { createYielder } from './yielder.ts'
import { conflicts } from './conflicts.ts'
import { createOperationContext } from './operation-context.ts'
import { createUploadedRowInserter } from './uploaded-rows.ts'
import { fetchEntry, namesIn } from './names-in.ts'
import { reasonOf } from './reason.ts'
import { discardUpload } from './sending/send-in-parts.ts'
import { sendUpload } from './sending/send-upload.ts'
import { untilReachable } from './sending/until-reachable.ts'
import { factsOf, jobsAfterChoices, planUpload, type UploadItem } from './upload-plan.ts'

/** The upload queue of the signed-in user. */
export const uploads = createUploadQueue({
  atOnce: clientLimits.concurrentUploads,
  send: sendUpload,
  discard: discardUpload,
  decide: async ({ path, name, file }) => {
    const folder = parentOf(path)
    const late = { verb: 'upload', folder, name, source: factsOf({ name, file }), sentFrom: file } as const
    const existing = await fetchEntry(path).catch(() => null)
    return (await conflicts.ask([{ ...late, existing, freeName: null }], 1))[0] ?? 'cancel'
  },
  onDone: (job) => insertUploadedRow(job),
  onEmpty: report,
  nowMs: () => performance.now(),
  later: (run, delayMs) => void setTimeout(run, delayMs),
})

/**
 * The chosen or dropped files that are not in the queue yet, because they are being read and compared with the names on
 * the server.
 */
export type UploadPreparation = {
  readonly batches: number
  /** The number of files to show. It is 0 while the preparation has only begun. */
  readonly files: number
  /** True while the server cannot be reached. */
  readonly isWaiting: boolean
}

const nothingPrepared: UploadPreparation = { batches: 0, files: 0, isWaiting: false }
export const preparation = createPersonalStore(nothingPrepared)

/** A batch of chosen or dropped files that is not in the queue yet. */
type PlannedBatch = {
  readonly items: UploadItem[]
  /** Aborted when the user cancels. */
  readonly cancelling: AbortController
  /** The number of files to show. */
  shownFiles: number
  isWaiting: boolean
}

const plannedBatches = new Set<PlannedBatch>()

const showPreparation = (): void => {
  const batches = [...plannedBatches]
  preparation.set({
    batches: batches.length,
    files: batches.reduce((sum, { shownFiles }) => sum + shownFiles, 0),
    isWaiting: batches.some(({ isWaiting }) => isWaiting),
  })
}

/** Returns the number of files that `cancelAllUploads` would cancel. */
export function countCancellable(): number {
  const { queued, uploading, paused } = uploads.counts()
  return queued + uploading + paused + preparation.get().files
}

/** Cancels all uploads, also those that are being prepared. */
export function cancelAllUploads(): void {
  for (const { cancelling } of plannedBatches) cancelling.abort()
  uploads.cancelAll()
}

let insertUploadedRow = createUploadedRowInserter(createOperationContext())

registerPersonal({
  pause: () => uploads.hold(),
  resume: () => uploads.release(),
  drop: () => {
    uploads.drop()
    plannedBatches.clear()
    insertUploadedRow = createUploadedRowInserter(createOperationContext())
  },
  unfinished: () => {
    const { queued, uploading, paused, conflict } = uploads.counts()
    const failed = uploads.summary.get().jobs.filter((job) => job.state === 'failed' && canRetry(job)).length
    const queuedFiles = queued + uploading + paused + conflict + failed
    return [...plannedBatches].reduce((sum, { items }) => sum + items.length, queuedFiles)
  },
})

/** Uploads files into a folder. Asks the user first about all names that are already taken there. */
export async function upload(
  target: Path,
  source: AsyncIterable<UploadItem> | Iterable<UploadItem>,
): Promise<void> {
  const untilLogout = userSignal()
  const cancelling = new AbortController()
  const signal = AbortSignal.any([untilLogout, cancelling.signal])
  const context = createOperationContext()
  const yieldIfDue = createYielder(() => performance.now())
  const items: UploadItem[] = []
  const batch: PlannedBatch = { items, cancelling, shownFiles: 0, isWaiting: false }
  plannedBatches.add(batch)
  const show = (change: Pick<PlannedBatch, 'shownFiles'> & Partial<PlannedBatch>): void => {
    Object.assign(batch, change)
    showPreparation()
  }
  showPreparation()
  try {
    for await (const item of source) {
      if (signal.aborted) return
      items.push(item)
      const pause = yieldIfDue()
      if (pause) show({ shownFiles: items.length })
      await pause
    }
    const plan = await planUpload({ namesIn: namesWhenReachable, yieldIfDue, signal }, target, items)
    if (signal.aborted) return
    show({ shownFiles: 0 })
    const choices = plan.conflicts.length > 0 ? await conflicts.ask(plan.conflicts, plan.jobs.length) : []
    if (!signal.aborted) uploads.add(jobsAfterChoices(plan, choices))
  } catch (thrown) {
    if (!isAborted(thrown)) context.notifyFailure(sentences(t('failed.list'), reasonOf(thrown)))
  } finally {
    plannedBatches.delete(batch)
    if (!untilLogout.aborted) showPreparation()
  }

  /** Reads the names in a folder. Waits while the server cannot be reached. */
  async function namesWhenReachable(folder: Path): ReturnType<typeof namesIn> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const names = await namesIn(folder)
        if (attempt > 0 && !untilLogout.aborted) show({ shownFiles: 0, isWaiting: false })
        return names
      } catch (thrown) {
        if (signal.aborted || ![0, 502, 503, 504].includes(statusOf(thrown))) throw thrown
      }
      show({ shownFiles: items.length, isWaiting: true })
      await untilReachable(attempt, signal)
    }
  }
}

/** Announces how the uploads have ended to screen readers. The tray shows it. */
function report({ done, failed, folders }: UploadReport): void {
  const open = openFolder.get()
  if (done > 0)
    announce(failed > 0 ? t('done.uploadPartly', { count: done, failed }) : t('done.upload', { count: done }))
  else if (failed > 0) announce(t('failed.upload', { count: failed }), 'assertive')
  if (open && folders.includes(open.folder)) openFolderAt(open.folder)?.reload()
}
