import { useEffect, useState } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { openFolder } from '../../state/open-folder.ts'
import { useStore } from '../../state/store.ts'

/**
 * Returns those of some entries that still exist. An entry that leaves the open folder while a prompt is open was deleted, moved or
 * renamed by somebody else. Entries in other folders, such as results of a search, are never left out.
 */
export function useEntriesLeft(folder: Path, entries: readonly ListedEntry[]): readonly ListedEntry[] {
  const open = useStore(openFolder)
  const [left, setLeft] = useState(entries)
  useEffect(() => {
    if (open?.folder !== folder) return undefined
    const check = (): void => {
      if (!open.counts.get().isComplete) return
      const names = open.presentNames(Array.from(entries, ({ name }) => name))
      const isLeft = (entry: ListedEntry): boolean =>
        (entry.folder ?? folder) !== folder || names.has(entry.name)
      setLeft(entries.every(isLeft) ? entries : entries.filter(isLeft))
    }
    check()
    return open.counts.subscribe(check)
  }, [open, folder, entries])
  return left
}
