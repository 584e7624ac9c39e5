import { limits } from '../../shared/domain/limits.ts'
import { parentOf, type Path } from '../../shared/domain/path.ts'
import { isAborted } from '../api/call.ts'
import { t } from '../i18n/translate.ts'
import { announce } from '../state/announcements.ts'
import { openFolder, openFolderAt } from '../state/open-folder.ts'
import { createStore } from '../state/store.ts'
import { createUploadQueue, type UploadReport } from '../state/uploads.ts'
import { createBreather } from './breather.ts'
import { conflicts } from './conflicts.ts'
import { desk } from './desk.ts'
import { createLandedRows } from './landed-rows.ts'
import { namesIn } from './names-in.ts'
import { reasonOf } from './reason.ts'
import { sendUpload } from './send-upload.ts'
import { decidedJobs, planUpload, type UploadItem } from './upload-plan.ts'

/** The uploads of this page. */
export const uploads = createUploadQueue({
  atOnce: limits.uploadsAtOnce,
  send: sendUpload,
  decide: async ({ path, name }) =>
    (await conflicts.ask([{ cause: 'upload', folder: parentOf(path), name }], 1))[0] ?? 'cancel',
  onDone: createLandedRows(desk),
  onEmpty: report,
  nowMs: () => performance.now(),
  later: (run, delayMs) => void desk.later(run, delayMs),
})

/** How many things are being read and compared with the server before they can be sent; 0 most of the time. */
export const preparing = createStore(0)

/** Sends things into a folder, after one question about all the names that are taken there. */
export async function upload(
  target: Path,
  found: AsyncIterable<UploadItem> | Iterable<UploadItem>,
): Promise<void> {
  const breathe = createBreather(() => performance.now())
  const items: UploadItem[] = []
  try {
    for await (const item of found) {
      items.push(item)
      const pause = breathe()
      if (pause) preparing.set(items.length)
      await pause
    }
    const plan = await planUpload({ namesIn, breathe }, target, items)
    preparing.set(0)
    const choices = plan.conflicts.length > 0 ? await conflicts.ask(plan.conflicts, plan.jobs.length) : []
    uploads.add(decidedJobs(plan, choices))
  } catch (thrown) {
    if (!isAborted(thrown)) desk.tellFailure(`${t('failed.list')} ${reasonOf(thrown)}`)
  } finally {
    preparing.set(0)
  }
}

function report({ done, failed, folders }: UploadReport): void {
  if (done > 0) desk.tell(t('done.upload', { count: done }))
  if (failed > 0) announce(t('failed.upload', { count: failed }), 'assertive')
  const open = openFolder.get()
  if (open && folders.includes(open.folder)) openFolderAt(open.folder)?.reload()
}
