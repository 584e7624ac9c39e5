import { useEffect, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { connection } from '../../../listing/rows/connection.ts'
import { useStore } from '../../../state/store.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Fill } from '../../../ui/slot.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import { addressLoader } from '../open-folder/address-loader.ts'
import styles from './connection-mark.module.css'

/** The delay of the line below the header, in milliseconds. A short break moves nothing on the screen. */
const lineDelayMs = 3000

/**
 * Shows whether changes of the folder appear by themselves: in the status bar, and a longer break in a line below the
 * header. Phones have no status bar, so that they show each break there. A live connection is shown after the rows. Servers
 * without live updates have no mark.
 */
export function ConnectionMark() {
  const state = useStore(connection)
  const isPhone = useMedia(mobileQuery)
  const view = useStore(addressLoader.view)
  const isLoading = view.kind === 'loading' || (view.kind === 'folder' && view.isArriving)
  const isLost = state === 'reconnecting' || state === 'offline'
  const isLine = useIsLong(isLost) || (isLost && isPhone)
  if (state === 'none' || (state === 'live' && (isLoading || isPhone))) return null
  return (
    <Fill slot={isLine ? 'below-header' : 'status'}>
      <span className={classNames(styles.mark, isLine && styles.line)} data-state={state}>
        {t(`status.${state}`)}
      </span>
    </Fill>
  )
}

/** Returns true when the connection has been lost for `lineDelayMs`. */
function useIsLong(isLost: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isLost) return undefined
    const timer = setTimeout(() => setLong(true), lineDelayMs)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isLost])
  return isLong
}
