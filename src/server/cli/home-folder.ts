import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join, posix, sep } from 'node:path'
import { AppError } from '../../shared/domain/failure.ts'
import type { Config } from '../config/serving-options.ts'
import type { Settings } from '../records/port.ts'

type Home = {
  readonly settings: Settings
  readonly username: string
  /** The scope that was asked for; null when none was. */
  readonly given: string | null
}

/** The scope of a new user as it is stored (contract 10.6): a folder of the own name where folders are made for users. */
export function homeOf({ settings, username, given }: Home): string {
  const scope = given ?? (settings.createUserDir ? '' : settings.defaults.scope)
  if (scope !== '' || !settings.createUserDir) return scope
  return `${settings.userHomeBasePath.replace(/\/+$/, '')}/${cleanName(username)}`
}

/** A user name as a folder's. `bad-request` where nothing usable is left of it. */
function cleanName(username: string): string {
  const clean = username
    .trim()
    .replaceAll('..', '')
    .replaceAll(/[^0-9A-Za-z@_.-]/g, '-')
    .replaceAll(/-+/g, '-')
  if (['', '-', '.'].includes(clean))
    throw new AppError('bad-request', { reason: 'the user name makes no folder' })
  return clean
}

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
