import { useEffect } from 'react'
import { isWithin, type Path } from '../../../shared/domain/path.ts'
import { incomingUploads, type IncomingUploads } from '../../state/screens/incoming-uploads.ts'
import type { UploadState } from '../../state/upload-job.ts'
import type { UploadSummary } from '../../state/upload-summary.ts'

const movingStates: readonly UploadState[] = ['queued', 'uploading']
const pendingStates: readonly UploadState[] = [...movingStates, 'paused', 'conflict']

/** Publishes the uploads into the open folder, so that an empty folder does not say that nothing happens there. */
export function useIncomingUploads(summary: UploadSummary, folder: Path | null): void {
  const incoming = folder === null ? null : incomingUploadsOf(summary, folder)
  useEffect(() => {
    incomingUploads.set(incoming)
    return () => incomingUploads.set(null)
  }, [incoming])
}

/** Returns whether jobs below a folder are being sent now or later, or null when all of them have ended. */
export function incomingUploadsOf(
  { jobs, phase }: Pick<UploadSummary, 'jobs' | 'phase'>,
  folder: Path,
): IncomingUploads | null {
  const hasJobIn = (states: readonly UploadState[]): boolean =>
    jobs.some(({ path, state }) => states.includes(state) && path !== folder && isWithin(path, folder))
  if (phase === 'over') return null
  if (phase === 'uploading' && hasJobIn(movingStates)) return 'uploading'
  return hasJobIn(pendingStates) ? 'pending' : null
}
