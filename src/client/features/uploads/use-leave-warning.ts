import { useEffect } from 'react'
import { unfinishedFiles } from '../../state/personal.ts'

/**
 * Makes the browser ask for confirmation before the page is closed while uploads run. Navigation inside the page does
 * not interrupt uploads.
 */
export function useLeaveWarning(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return undefined
    // Before a logout navigates to another site, the uploads have already been dropped, so no warning is needed.
    const warn = (event: BeforeUnloadEvent): void => {
      if (unfinishedFiles() > 0) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isRunning])
}
