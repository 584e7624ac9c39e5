import { preparation, uploads } from '../../operations/uploads.ts'
import { openFolder } from '../../state/open-folder.ts'
import { session, useMay } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { DropOverlay } from './drop-overlay.tsx'
import { UploadProgressLine } from './upload-progress-line.tsx'
import { UploadTray } from './upload-tray.tsx'
import { useDrop } from './use-drop.ts'
import { useIncomingUploads } from './use-incoming-uploads.ts'
import { useInterruptedUploads } from './use-interrupted-uploads.ts'
import { useLeaveWarning } from './use-leave-warning.ts'
import { usePaste } from './use-paste.ts'
import { useProgressAnnouncements } from './use-progress-announcements.ts'

/** Renders the progress line, the tray and the drop overlay, and receives dropped and pasted files. */
export function Uploads() {
  const summary = useStore(uploads.summary)
  const prepared = useStore(preparation)
  const folder = useStore(openFolder)?.folder ?? null
  const may = useMay()
  const mayUpload = useStore(session).kind === 'user' && may('create')
  const target = useDrop(mayUpload ? folder : null)
  usePaste(mayUpload ? folder : null)
  useLeaveWarning(summary.isRunning || prepared.batches > 0)
  useProgressAnnouncements(summary)
  useIncomingUploads(summary, folder)
  useInterruptedUploads()
  return (
    <>
      {summary.isRunning && <UploadProgressLine percent={summary.percent} />}
      {(summary.jobs.length > 0 || prepared.files > 0) && (
        <UploadTray summary={summary} prepared={prepared} />
      )}
      {target !== null && <DropOverlay target={target} />}
    </>
  )
}
