import { AppError } from '../../shared/domain/failure.ts'
import type { User } from '../records/port.ts'

export type CurrentPasswordNeeds = {
  readonly verifyPassword: (password: string, hash: string) => Promise<boolean>
}

/** The caller's own password: good when absent, wrong is wrong (contract 10.3). */
export async function checkCurrentPassword(
  needs: CurrentPasswordNeeds,
  user: User,
  password: string | null | undefined,
): Promise<void> {
  if (password === undefined || password === null || password === '') return
  if (await needs.verifyPassword(password, user.passwordHash)) return
  throw new AppError('wrong-password', { reason: 'the current password is incorrect' })
}
