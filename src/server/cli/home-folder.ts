import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join, posix, sep } from 'node:path'
import { AppError } from '../../shared/domain/failure.ts'
import type { Config } from '../config/serving-options.ts'

/** Makes the folder of a scope inside the served one. `forbidden` when a link on the way leads out of it. */
export async function makeHome({ root, dirMode }: Config, scope: string): Promise<void> {
  const top = await realpath(root)
  const goal = join(top, posix.normalize(`/${scope}`))
  let above = goal
  let real: string | null = null
  while (real === null) {
    real = await realpath(above).catch(() => null)
    if (real === null) above = dirname(above)
  }
  if (real !== top && !real.startsWith(top === sep ? sep : top + sep))
    throw new AppError('forbidden', { reason: 'the scope leads out of the served folder' })
  await mkdir(goal, { recursive: true, mode: dirMode })
}
