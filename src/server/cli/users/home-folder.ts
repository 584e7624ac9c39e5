import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join, posix, sep } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Config } from '../../config/serving-options.ts'

/**
 * Creates the folder of a scope inside the served folder. Throws `forbidden` when a symbolic link in the path leads out
 * of the served folder.
 */
export async function createHomeFolder(
  { root, dirMode }: Pick<Config, 'root' | 'dirMode'>,
  scope: string,
): Promise<void> {
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
  await mkdir(home, { recursive: true, mode: dirMode })
}
