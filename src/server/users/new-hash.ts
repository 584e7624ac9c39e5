import { AppError } from '../../shared/domain/failure.ts'

export type NewHashNeeds = {
  readonly hashPassword: (password: string) => Promise<string>
  /** Why a new password is refused, as a sentence; null when it is good. */
  readonly faultOfPassword: (password: string) => Promise<string | null>
}

/** The hash of a password that somebody chooses; `bad-request` with the reason where the policy refuses it (contract 2.8). */
export async function newHash(needs: NewHashNeeds, password: unknown): Promise<string> {
  if (typeof password !== 'string') throw new AppError('bad-request', { reason: 'the password is no text' })
  const reason = await needs.faultOfPassword(password)
  if (reason !== null) throw new AppError('bad-request', { reason })
  return needs.hashPassword(password)
}
