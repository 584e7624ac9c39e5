import { AppError } from '../../shared/domain/failure.ts'
import { byteLength } from '../../shared/domain/name-bytes.ts'
import { faultOfText } from './passwords.ts'

/** bcrypt reads no further. */
const mostBytes = 72

/** The hash of a password in the original's form; `bad-request` for what it cannot hold. The first login replaces it by a stronger one. */
export async function originalHash(password: string): Promise<string> {
  const reason = byteLength(password) > mostBytes ? 'the password is over 72 bytes' : faultOfText(password)
  if (reason !== null) throw new AppError('bad-request', { reason })
  const { hash } = await import('@node-rs/bcrypt')
  return hash(password, { cost: 10, version: '2a' })
}
