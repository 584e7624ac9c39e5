import { AppError } from '../../shared/domain/failure.ts'
import { byteLength } from '../../shared/domain/name-bytes.ts'
import { faultOfPasswordText } from './passwords.ts'

/** Maximum length of a password in bytes, because bcrypt ignores all bytes after the 72nd. */
const maxPasswordBytes = 72

/**
 * Hashes a password as File Browser does (bcrypt). Throws `bad-request` for a password that bcrypt cannot
 * represent. The first login replaces the hash by a stronger one.
 */
export async function originalHash(password: string): Promise<string> {
  const reason =
    byteLength(password) > maxPasswordBytes ? 'the password is over 72 bytes' : faultOfPasswordText(password)
  if (reason !== null) throw new AppError('bad-request', { reason })
  const { genSaltSync, hash } = await import('bcryptjs')
  // The prefixes `$2a$` and `$2b$` stand for the same computation. File Browser writes the former.
  return hash(password, genSaltSync(10).replace('$2b$', '$2a$'))
}
