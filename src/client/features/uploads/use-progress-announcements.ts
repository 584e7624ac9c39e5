import { useEffect } from 'react'
import { formatPercent } from '../../i18n/later-formats.ts'
import { t } from '../../i18n/translate.ts'
import { announce } from '../../state/announcements.ts'
import { setTitle } from '../../state/page-title.ts'
import type { UploadPhase, UploadSummary } from '../../state/upload-summary.ts'

/** The states of the queue that screen readers announce when they begin. A login opens a dialog, which announces itself. */
const announcedPhases = ['paused', 'waiting'] as const satisfies readonly UploadPhase[]

/**
 * Shows the percentage in the title of the tab, and announces to screen readers each quarter, and that the uploads pause
 * or wait.
 */
export function useProgressAnnouncements({ isRunning, percent, phase }: UploadSummary): void {
  const quarter = Math.floor(percent / 25)
  useEffect(() => {
    if (isRunning && quarter > 0 && quarter < 4) {
      announce(t('uploads.milestone', { percent: formatPercent(quarter / 4) }))
    }
  }, [isRunning, quarter])
  useEffect(() => {
    const announced = announcedPhases.find((each) => each === phase)
    if (announced !== undefined) announce(t(`uploads.announced.${announced}`))
  }, [phase])
  useEffect(() => {
    setTitle({ prefix: isRunning ? `↑ ${formatPercent(percent / 100)}` : '' })
    return () => setTitle({ prefix: '' })
  }, [isRunning, percent])
}
