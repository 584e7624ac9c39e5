import { AppError, type FailureOptions } from '../../shared/domain/failure.ts'
import type { User } from '../records/user-store.ts'

export type NewPasswordDependencies = {
  readonly hashPassword: (password: string) => Promise<string>
  /** Returns the options of the refusal of a new password; null when the password is accepted. */
  readonly faultOfPassword: (password: string) => Promise<FailureOptions | null>
}

/** Hashes a new password. Throws `bad-request` with the reason when the password policy refuses it (contract 2.8). */
export async function hashNewPassword(
  dependencies: NewPasswordDependencies,
  password: unknown,
): Promise<string> {
  if (typeof password !== 'string')
    throw new AppError('bad-request', { reason: 'the password is not a string' })
  const fault = await dependencies.faultOfPassword(password)
  if (fault !== null) throw new AppError('bad-request', fault)
  return dependencies.hashPassword(password)
}

export type CurrentPasswordDependencies = {
  /** Returns true when a user has this password. */
  readonly verifyPasswordOf: (userId: number, password: string) => Promise<boolean>
}

/**
 * Checks the caller's own password, which a request may contain as `current_password`. An absent password is accepted.
 * A wrong password throws `wrong-password` (contract 10.3).
 */
export async function checkCurrentPassword(
  dependencies: CurrentPasswordDependencies,
  { id }: Pick<User, 'id'>,
  password: string | null | undefined,
): Promise<void> {
  if (password === undefined || password === null || password === '') return
  if (await dependencies.verifyPasswordOf(id, password)) return
  throw new AppError('wrong-password', { reason: 'the current password is incorrect' })
}
