import { limits } from '../../shared/domain/limits.ts'
import { parentOf, type Path } from '../../shared/domain/path.ts'
import { isAborted } from '../api/call.ts'
import { t } from '../i18n/translate.ts'
import { announce } from '../state/announcements.ts'
import { createPersonalStore, userSignal, registerPersonal } from '../state/personal.ts'
import { tell } from '../state/notices.ts'
import { openFolder, openFolderAt } from '../state/open-folder.ts'
import { createUploadQueue, type UploadReport } from '../state/upload-queue.ts'
import { createYielder } from './yielder.ts'
import { conflictOf } from './conflict-of.ts'
import { conflicts } from './conflicts.ts'
import { createOperationContext } from './operation-context.ts'
import { createUploadedRowInserter } from './uploaded-rows.ts'
import { namesIn } from './names-in.ts'
import { reasonOf } from './reason.ts'
import { sendUpload } from './sending/send-upload.ts'
import { factsOf, jobsAfterChoices, planUpload, type UploadItem } from './upload-plan.ts'

/** The upload queue of the signed-in user. */
export const uploads = createUploadQueue({
  atOnce: limits.concurrentUploads,
  send: sendUpload,
  decide: async ({ path, name, file }) => {
    const folder = parentOf(path)
    const late = { verb: 'upload', folder, name, source: factsOf({ name, file }) } as const
    const existing = conflictOf(await namesIn(folder).catch(() => new Map()), late)?.existing ?? null
    return (await conflicts.ask([{ ...late, existing, freeName: null }], 1))[0] ?? 'cancel'
  },
  onDone: (job) => landedRows(job),
  onEmpty: report,
  nowMs: () => performance.now(),
  later: (run, delayMs) => void setTimeout(run, delayMs),
})

/**
 * The number of chosen or dropped files that are being read and compared with the names on the server before they can
 * be sent.
 */
export const preparing = createPersonalStore(0)

/** Batches of chosen or dropped files that are not in the queue yet. */
const plannedBatches = new Set<readonly UploadItem[]>()

let landedRows = createUploadedRowInserter(createOperationContext())

registerPersonal({
  pause: () => uploads.pause('session'),
  resume: () => uploads.resume('session'),
  drop: () => {
    uploads.drop()
    plannedBatches.clear()
    landedRows = createUploadedRowInserter(createOperationContext())
  },
  unfinished: () => {
    const { queued, uploading, conflict } = uploads.counts()
    return [...plannedBatches].reduce((sum, items) => sum + items.length, queued + uploading + conflict)
  },
})

/** Uploads files into a folder. Asks the user first about all names that are already taken there. */
export async function upload(
  target: Path,
  source: AsyncIterable<UploadItem> | Iterable<UploadItem>,
): Promise<void> {
  const person = userSignal()
  const context = createOperationContext()
  const breathe = createYielder(() => performance.now())
  const items: UploadItem[] = []
  plannedBatches.add(items)
  try {
    for await (const item of source) {
      if (person.aborted) return
      items.push(item)
      const pause = breathe()
      if (pause) preparing.set(items.length)
      await pause
    }
    if (person.aborted) return
    const plan = await planUpload({ namesIn, breathe }, target, items)
    if (person.aborted) return
    preparing.set(0)
    const choices = plan.conflicts.length > 0 ? await conflicts.ask(plan.conflicts, plan.jobs.length) : []
    if (!person.aborted) uploads.add(jobsAfterChoices(plan, choices))
  } catch (thrown) {
    if (!isAborted(thrown)) context.tellFailure(`${t('failed.list')} ${reasonOf(thrown)}`)
  } finally {
    plannedBatches.delete(items)
    if (!person.aborted) preparing.set(0)
  }
}

function report({ done, failed, folders }: UploadReport): void {
  if (done > 0) tell(t('done.upload', { count: done }))
  if (failed > 0) announce(t('failed.upload', { count: failed }), 'assertive')
  const open = openFolder.get()
  if (open && folders.includes(open.folder)) openFolderAt(open.folder)?.reload()
}
