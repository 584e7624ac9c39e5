import { useEffect } from 'react'
import { formatPercent } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { announce } from '../../state/announcements.ts'
import { setTitlePrefix } from '../../state/page-title.ts'
import type { UploadSummary } from '../../state/upload-summary.ts'

/** Shows the percentage in the title of the tab and announces each quarter to screen readers. */
export function useProgressAnnouncements({ isRunning, percent }: UploadSummary): void {
  const quarter = Math.floor(percent / 25)
  useEffect(() => {
    if (isRunning && quarter > 0 && quarter < 4) {
      announce(t('uploads.milestone', { percent: formatPercent(quarter / 4) }))
    }
  }, [isRunning, quarter])
  useEffect(() => {
    setTitlePrefix(isRunning ? `↑ ${formatPercent(percent / 100)}` : '')
    return () => setTitlePrefix('')
  }, [isRunning, percent])
}
