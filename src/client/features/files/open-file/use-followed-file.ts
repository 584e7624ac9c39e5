import { useEffect, useRef } from 'react'
import type { Path } from '../../../../shared/domain/path.ts'
import { filesUrl, navigate } from '../../../router/router.ts'
import { lastEntryChange, pathAfter } from '../../../state/entry-changes.ts'

/**
 * Follows the changes that this tab makes to the open file: after a rename the address is that of the new name, and after
 * a deletion `onRemoved` is called.
 */
export function useFollowedFile(path: Path, onRemoved: () => void): void {
  const latest = useRef(onRemoved)
  useEffect(() => {
    latest.current = onRemoved
  })
  useEffect(
    () =>
      lastEntryChange.subscribe(() => {
        const change = lastEntryChange.get()
        if (change?.from !== path) return
        if (change.to === null) latest.current()
        else navigate(filesUrl(pathAfter(path, change), false), { replace: true })
      }),
    [path],
  )
}
