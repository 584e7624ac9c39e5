import type { Entry } from '../../shared/domain/entry.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Storage } from './port.ts'

/**
 * Returns the entry at a path, or null when no entry exists there: a name in the path is missing (`not-found`), or a
 * name before the last one is a file (`not-a-folder`). All other failures are thrown. In particular, `forbidden` does
 * not mean that no entry exists.
 */
export async function statOrNull(
  storage: Pick<Storage, 'stat'>,
  path: Path,
  options?: Parameters<Storage['stat']>[1],
): Promise<Entry | null> {
  try {
    return await storage.stat(path, options)
  } catch (error) {
    if (codeOf(error) === 'not-found' || codeOf(error) === 'not-a-folder') return null
    throw error
  }
}

/**
 * Returns true when it is certain that no entry exists at a path. An entry that cannot be inspected, because it is
 * denied or its disk fails, counts as existing.
 */
export const isMissing = (storage: Pick<Storage, 'stat'>, path: Path): Promise<boolean> =>
  statOrNull(storage, path).then(
    (entry) => entry === null,
    () => false,
  )
