import { initialUserValues } from '../../shared/contract/fields/user-fields.ts'
import { withAdminImplied } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { ServerRecords } from '../records/port.ts'
import type { StoredServingOptions } from '../records/settings.ts'

export type FirstRunOptions = {
  readonly records: Pick<ServerRecords, 'settings' | 'setUp'>
  readonly username: string
  /**
   * The password hash of the first user, as `stowage hash` prints it. When it is empty, a random password is created.
   */
  readonly passwordHash: string
  /** True when the login is disabled. Every visitor then acts as the first user. */
  readonly isWithoutLogin: boolean
  readonly isExecOn: boolean
  /** The options that are stored, so that they also apply to later starts. */
  readonly toStore: StoredServingOptions
  readonly isPasswordHash: (text: string) => boolean
  readonly hashPassword: (password: string) => Promise<string>
  readonly randomBytes: (count: number) => Uint8Array
}

const keyBytes = 64
const passwordBytes = 12

/**
 * Stores the signing key and the first user, an administrator, in an empty database (contract 14.3). Returns the random
 * password of the user. Returns null when a hash was given, or when the database was already set up, possibly by a
 * process that started at the same time.
 */
export async function performFirstRun(run: FirstRunOptions): Promise<string | null> {
  const { settings } = run.records
  if ((await settings.key()) !== null) return null
  const password =
    run.passwordHash === '' ? Buffer.from(run.randomBytes(passwordBytes)).toString('base64url') : null
  if (password === null && !run.isPasswordHash(run.passwordHash))
    throw new AppError('bad-request', { reason: '--password is not a hash; `stowage hash` creates one' })
  const { defaults } = await settings.get()
  const isOurs = await run.records.setUp({
    user: {
      ...initialUserValues,
      ...defaults,
      username: run.username,
      passwordHash: password === null ? run.passwordHash : await run.hashPassword(password),
      perm: withAdminImplied({ ...defaults.perm, admin: true }, run.isExecOn),
      isDisabled: false,
    },
    settings: run.isWithoutLogin ? { authMethod: 'noauth' } : {},
    server: run.toStore,
    key: run.randomBytes(keyBytes),
  })
  return isOurs ? password : null
}
