import { useEffect } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { useStore } from '../../state/store.ts'

/** The folder into which `cd` has gone, while the page shows the folder `from`, and the folder before it. */
type WorkingFolder = { readonly from: Path; readonly folder: Path; readonly previous: Path | null }

const workingFolder = createPersonalStore<WorkingFolder | null>(null)

/**
 * Returns the folder in which the next command runs: the folder of the page, or the one into which `cd` has gone since the page shows
 * its folder. The shell follows the page as soon as it shows another folder.
 */
export function useWorkingFolder(pageFolder: Path): Path {
  const now = useStore(workingFolder)
  useEffect(() => {
    workingFolder.set((known) =>
      known === null || known.from === pageFolder
        ? known
        : { from: pageFolder, folder: pageFolder, previous: known.folder },
    )
  }, [pageFolder])
  return now !== null && now.from === pageFolder ? now.folder : pageFolder
}

/** Returns the folder to which `cd -` goes back. Null before the first `cd`. */
export const previousFolder = (): Path | null => workingFolder.get()?.previous ?? null

export const enterFolder = (folder: Path, { from, previous }: Omit<WorkingFolder, 'folder'>): void =>
  workingFolder.set({ from, folder, previous })
