import { useQuery } from '../../api/use-query.ts'
import { root } from '../../../shared/domain/path.ts'
import { callJson } from '../../api/call.ts'
import { formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import styles from './sidebar-parts.module.css'

/** The interval in milliseconds at which the figures are fetched again while the tab is visible. */
const refreshMs = 60_000

/** Shows how full the disk with the user's files is. Renders nothing until the server has answered, or when it refuses. */
export function DiskUsage() {
  const { data } = useQuery({
    queryKey: ['disk usage'],
    queryFn: ({ signal }) => callJson('usage.get', { path: root, isFolder: true, signal }),
    refetchInterval: refreshMs,
  })
  if (data === undefined || data.total === 0) return null
  const text = t('usage.text', { used: formatSize(data.used), total: formatSize(data.total) })
  return (
    <div className={styles.usage}>
      <meter
        className={styles.meter}
        min={0}
        max={data.total}
        value={data.used}
        aria-label={t('usage.label')}
        aria-valuetext={text}
      />
      <p className="numbers">{text}</p>
    </div>
  )
}
