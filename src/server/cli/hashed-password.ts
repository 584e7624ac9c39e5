import { faultOfPassword } from '../auth/password-policy.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { RecordsCall } from './verb.ts'

/** The hash of a new password. `bad-request` with the reason for one that the policy refuses. */
export async function hashedPassword({ records, passwords }: RecordsCall, password: string): Promise<string> {
  const { minimumPasswordLength } = await records.settings.get()
  const reason = faultOfPassword(password, minimumPasswordLength)
  if (reason !== null) throw new AppError('bad-request', { reason })
  return passwords.hash(password)
}
