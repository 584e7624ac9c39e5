import { withAdminImplied } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Records, ServerRecord } from '../records/port.ts'

export type FirstRun = {
  readonly records: Pick<Records, 'settings' | 'setUp'>
  readonly username: string
  /** A hash as `stowage hash` prints it; empty for a random password. */
  readonly passwordHash: string
  /** Nobody logs in: everybody is the first user. */
  readonly isWithoutLogin: boolean
  readonly isExecOn: boolean
  /** Options that are kept for starts without them. */
  readonly toStore: ServerRecord
  readonly isPasswordHash: (text: string) => boolean
  readonly hashPassword: (password: string) => Promise<string>
  readonly randomBytes: (count: number) => Uint8Array
}

const keyBytes = 64
const passwordBytes = 12

/**
 * Makes what an empty database lacks: the key and the first user, an administrator (contract 14.3). Gives the password that was made
 * up; null where a hash was given, or where the database was set up before, if only by a process that was started with this one.
 */
export async function firstRun(run: FirstRun): Promise<string | null> {
  const { settings } = run.records
  if ((await settings.key()) !== null) return null
  const password =
    run.passwordHash === '' ? Buffer.from(run.randomBytes(passwordBytes)).toString('base64url') : null
  if (password === null && !run.isPasswordHash(run.passwordHash))
    throw new AppError('bad-request', { reason: '--password is no hash; `stowage hash` makes one' })
  const { defaults } = await settings.get()
  const isOurs = await run.records.setUp({
    user: {
      ...defaults,
      username: run.username,
      passwordHash: password === null ? run.passwordHash : await run.hashPassword(password),
      perm: withAdminImplied({ ...defaults.perm, admin: true }, run.isExecOn),
      lockPassword: false,
      rules: [],
      isDisabled: false,
    },
    settings: run.isWithoutLogin ? { authMethod: 'noauth' } : {},
    server: run.toStore,
    key: run.randomBytes(keyBytes),
  })
  return isOurs ? password : null
}
