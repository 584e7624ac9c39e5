import { AppError } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'

const originPattern = new RegExp(`^[!-~]{1,${limits.originCharacters}}$`)

/**
 * Returns the id with which a client recognises its own changes, from the `X-Origin` header, or null without this header.
 * Throws `bad-request` unless the id consists of a few visible ASCII characters, because it is kept with each change.
 */
export function changeOriginOf(header: string | undefined): string | null {
  if (header === undefined) return null
  if (!originPattern.test(header)) throw new AppError('bad-request', { reason: 'X-Origin is not a short id' })
  return header
}
