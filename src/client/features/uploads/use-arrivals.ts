import { useEffect } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { arrivals } from '../../state/screens/arrivals.ts'
import type { UploadState } from '../../state/upload-job.ts'
import type { UploadSummary } from '../../state/upload-summary.ts'

const pendingStates: readonly UploadState[] = ['queued', 'uploading', 'paused', 'conflict']

/** Publishes what is on its way into the open folder, so that an empty folder does not say that nothing happens there. */
export function useArrivals({ jobs, phase }: UploadSummary, folder: Path | null): void {
  const isTarget =
    phase !== 'over' && jobs.some(({ target, state }) => target === folder && pendingStates.includes(state))
  const text = isTarget ? t(phase === 'uploading' ? 'uploads.arriving' : 'uploads.pending') : null
  useEffect(() => {
    arrivals.set(text)
    return () => arrivals.set(null)
  }, [text])
}
