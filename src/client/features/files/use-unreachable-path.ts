import { useEffect } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { announce } from '../../state/announcements.ts'
import { unreachablePath } from '../../state/open-folder.ts'

/** Publishes that the address cannot be opened, and announces the heading of the error screen. */
export function useUnreachablePath(path: Path, heading: string): void {
  useEffect(() => {
    unreachablePath.set(path)
    announce('')
    announce(heading, 'assertive')
    return () => unreachablePath.set(null)
  }, [path, heading])
}
