import { useEffect, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { connection } from '../../../listing/rows/connection.ts'
import { slots } from '../../../state/slots.ts'
import { useStore } from '../../../state/store.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Fill } from '../../../ui/slot.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import { addressLoader } from '../open-folder/address-loader.ts'
import styles from './connection-mark.module.css'

/** The time after which a screen without a status bar says that the connection is lost, in milliseconds. */
const longBreakMs = 3000

/**
 * Says that changes of the folder do not appear by themselves: in the status bar, and where the screen has none, above the end of
 * the content. A connection that works is not mentioned, and neither is a lost one while the folder has said that the server
 * cannot be reached.
 */
export function ConnectionMark() {
  const state = useStore(connection)
  const isPhone = useMedia(mobileQuery)
  const { status } = useStore(slots)
  const view = useStore(addressLoader.view)
  const isLost = state === 'reconnecting' || state === 'offline'
  const isLongBreak = useIsLong(isLost)
  const isInBar = status !== undefined && !isPhone
  if (state === 'none' || state === 'live' || (view.kind === 'folder' && view.isStale && isLost)) return null
  if (!isInBar && !isLost) return null
  if (!isInBar && !isPhone && !isLongBreak) return null
  return (
    <Fill slot={isInBar ? 'status' : 'page-notice'}>
      <span className={classNames(styles.mark, !isInBar && styles.floating)} data-state={state}>
        {t(`status.${state}`)}
      </span>
    </Fill>
  )
}

/** Returns true when the connection has been lost for `longBreakMs`. */
function useIsLong(isLost: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isLost) return undefined
    const timer = setTimeout(() => setLong(true), longBreakMs)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isLost])
  return isLong
}
