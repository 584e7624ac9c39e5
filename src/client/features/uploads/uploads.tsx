import { preparing, uploads } from '../../operations/uploads.ts'
import { openFolder } from '../../state/open-folder.ts'
import { may, useUser } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { DropOverlay } from './drop-overlay.tsx'
import { UploadLine } from './upload-line.tsx'
import { UploadTray } from './upload-tray.tsx'
import { useDrop } from './use-drop.ts'
import { useLeaveWarning } from './use-leave-warning.ts'
import { usePaste } from './use-paste.ts'
import { useProgressNews } from './use-progress-news.ts'

/** Everything about uploads that stands outside the list: the line at the top, the tray, and what receives drops and pastes. */
export function Uploads() {
  const summary = useStore(uploads.summary)
  const prepared = useStore(preparing)
  const folder = useStore(openFolder)?.folder ?? null
  const mayUpload = useUser() !== null && may('create')
  const target = useDrop(mayUpload ? folder : null)
  usePaste(mayUpload ? folder : null)
  useLeaveWarning(summary.isRunning)
  useProgressNews(summary)
  return (
    <>
      {summary.isRunning && <UploadLine percent={summary.percent} />}
      {(summary.jobs.length > 0 || prepared > 0) && <UploadTray summary={summary} prepared={prepared} />}
      {target !== null && <DropOverlay target={target} />}
    </>
  )
}
