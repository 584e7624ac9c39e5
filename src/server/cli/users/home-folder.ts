import { mkdir, realpath, rmdir } from 'node:fs/promises'
import { dirname, join, posix, sep } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Config } from '../../config/serving-options.ts'

/**
 * Creates the folders of scopes inside the served folder, and runs the work that needs them. When a folder cannot be
 * created or the work fails, the folders that this call created are removed again, unless something was put into them.
 * Throws `forbidden` when a symbolic link in the path of a folder leads out of the served folder.
 */
export async function withHomeFolders<T>(
  config: Pick<Config, 'root' | 'dirMode'>,
  scopes: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const created: string[] = []
  try {
    for (const scope of scopes) created.push(...(await createHomeFolder(config, scope)))
    return await work()
  } catch (thrown) {
    // A folder is removed before the folder that contains it.
    for (const folder of created.toReversed()) await rmdir(folder).catch(() => undefined)
    throw thrown
  }
}

/** Creates the folder of a scope. Returns the folders that did not exist before, the outermost first. */
async function createHomeFolder(
  { root, dirMode }: Pick<Config, 'root' | 'dirMode'>,
  scope: string,
): Promise<readonly string[]> {
  const top = await realpath(root)
  const home = join(top, posix.normalize(`/${scope}`))
  let ancestor = home
  let realAncestor: string | null = null
  while (realAncestor === null) {
    realAncestor = await realpath(ancestor).catch(() => null)
    if (realAncestor === null) ancestor = dirname(ancestor)
  }
  if (realAncestor !== top && !realAncestor.startsWith(top === sep ? sep : top + sep))
    throw new AppError('forbidden', { reason: 'the scope leads out of the served folder' })
  const first = await mkdir(home, { recursive: true, mode: dirMode })
  return first === undefined ? [] : foldersBetween(first, home)
}

/** Returns a folder, the folder `last` below it, and all folders between them. */
const foldersBetween = (first: string, last: string): readonly string[] =>
  last === first || dirname(last) === last ? [first] : [...foldersBetween(first, dirname(last)), last]
