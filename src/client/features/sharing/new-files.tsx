import { useEffect, useRef } from 'react'
import { ownLinks } from '../../api/link-lists.ts'
import { useQuery } from '../../api/use-query.ts'
import type { ShareResource } from '../../../shared/contract/shares.ts'
import { t } from '../../i18n/translate.ts'
import { notify } from '../../state/notices.ts'
import { useMay } from '../../state/session.ts'
import styles from './sharing.module.css'

/** The interval in milliseconds at which the server is asked for new files, while the user has a link for which this is wanted. */
const refreshMs = 60_000

/** Returns true for a link of which its owner wants to be told. */
const tellsOfFiles = ({ drop }: ShareResource): boolean => drop?.newFiles !== undefined

/**
 * Renders the number of files that have arrived through the user's links and that the user has not looked at. A notice says so when
 * the page is opened and when further files arrive. Renders nothing while there are none.
 */
export function NewFiles() {
  const may = useMay()
  const { data = [] } = useQuery({
    ...ownLinks,
    retry: false,
    enabled: may('share') && may('download'),
    refetchInterval: ({ state }) => (state.data?.some(tellsOfFiles) === true ? refreshMs : false),
  })
  const count = data.reduce((sum, { drop }) => sum + (drop?.newFiles ?? 0), 0)
  useNoticeOfNewFiles(count)
  if (count === 0) return null
  return (
    <span className={styles.newFilesMark} title={t('share.newFiles', { count })}>
      <span aria-hidden className="numbers">
        {count}
      </span>
      <span className="visually-hidden">{t('share.newFiles', { count })}</span>
    </span>
  )
}

/** Shows a notice when the number of new files grows. Before the server has answered, it is 0. */
function useNoticeOfNewFiles(count: number): void {
  const before = useRef(0)
  useEffect(() => {
    const added = count - before.current
    before.current = count
    if (added > 0) notify(t('share.arrived', { count: added }))
  }, [count])
}
