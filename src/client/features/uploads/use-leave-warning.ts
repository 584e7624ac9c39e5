import { useEffect } from 'react'
import { unfinishedFiles } from '../../state/personal.ts'

/**
 * Makes the browser ask for confirmation before the page is closed while uploads run. Navigation inside the page does
 * not interrupt uploads.
 */
export function useLeaveWarning(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return undefined
    // A logout cancels the uploads before it navigates to another site, so no warning appears then.
    const warn = (event: BeforeUnloadEvent): void => {
      if (unfinishedFiles() > 0) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isRunning])
}
