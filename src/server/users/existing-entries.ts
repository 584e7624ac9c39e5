import type { Entry } from '../../shared/domain/entry.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import { entryFlag, type Storage } from '../storage/port.ts'
import { statOrNull } from '../storage/stat-or-null.ts'

/** Returns true for a folder and for a link to a folder. */
export const isFolderEntry = (entry: Entry | null): boolean => (entry?.target ?? entry)?.kind === 'folder'

/** Returns the entry at a path. Returns null when nothing is there, and when the storage does not reach the entry. */
export const statUnlessHidden = (storage: Storage, path: Path, signal: AbortSignal): Promise<Entry | null> =>
  statOrNull(storage, path, { signal }).catch((error: unknown) => {
    if (listingFailures.includes(codeOf(error))) return null
    throw error
  })

type ListedName = { readonly name: string; readonly isFolder: boolean }

/** Returns the first entries of a folder. Returns none when the folder cannot be listed. */
export async function entriesOf(
  storage: Storage,
  folder: Path,
  { mostEntries, signal }: { readonly mostEntries: number; readonly signal: AbortSignal },
): Promise<readonly ListedName[]> {
  try {
    const { pages } = await storage.list(folder, {
      order: { by: 'name', descending: false, folders: 'first' },
      signal,
    })
    const entries: ListedName[] = []
    for await (const { names, flags } of pages) {
      for (const [index, name] of names.entries())
        entries.push({ name, isFolder: ((flags[index] ?? 0) & entryFlag.folder) !== 0 })
      if (entries.length >= mostEntries) break
    }
    return entries.slice(0, mostEntries)
  } catch (error) {
    if (listingFailures.includes(codeOf(error))) return []
    throw error
  }
}

const listingFailures: readonly string[] = [
  'not-found',
  'not-a-folder',
  'forbidden',
  'broken-link',
  'link-loop',
]
