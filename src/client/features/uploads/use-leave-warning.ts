import { useEffect } from 'react'
import { unfinishedFiles } from '../../state/personal.ts'

/**
 * Makes the browser ask before the page is closed while uploads run. Navigation inside the page interrupts no upload.
 */
export function useLeaveWarning(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return undefined
    // A logout that leads to another site has dropped the uploads already.
    const warn = (event: BeforeUnloadEvent): void => {
      if (unfinishedFiles() > 0) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isRunning])
}
