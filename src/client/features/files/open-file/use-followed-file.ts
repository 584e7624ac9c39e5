import { useEffect, useEffectEvent } from 'react'
import type { Path } from '../../../../shared/domain/path.ts'
import { filesUrl, location, navigate } from '../../../router/router.ts'
import { type EntryChange, entryChanged, pathAfter } from '../../../state/entry-changes.ts'

/**
 * Follows the changes that this tab makes to the open file: after a rename the address is that of the new name, also while the text is
 * edited, and after a deletion `onRemoved` is called.
 */
export function useFollowedFile(path: Path, onRemoved: () => void): void {
  const onChange = useEffectEvent((change: EntryChange): void => {
    if (change.from !== path) return
    if (change.to === null) onRemoved()
    else navigate(filesUrl(pathAfter(path, change), false) + location.get().query, { replace: true })
  })
  useEffect(() => entryChanged.subscribe((change) => onChange(change)), [])
}
