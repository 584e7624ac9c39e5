import { AppError } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'

/**
 * Parses a query string into its decoded keys and values. Throws `bad-request` for a repeated key and for malformed
 * percent-encoding.
 */
export function parseQuery(text: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>()
  for (const part of text.split('&')) {
    if (part === '') continue
    const separator = part.indexOf('=')
    const key = decode(separator < 0 ? part : part.slice(0, separator))
    if (query.has(key)) throw new AppError('bad-request', { reason: 'a query key occurs twice' })
    query.set(key, separator < 0 ? '' : decode(part.slice(separator + 1)))
  }
  return query
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw new AppError('bad-request', { reason: 'the query is malformed', cause })
  }
}

/**
 * Returns the decoded value of one key, before the whole query is parsed and validated. Undefined when the key is
 * missing, is longer than the longest token, or cannot be decoded.
 */
export function queryValue(text: string, key: string): string | undefined {
  if (text === '') return undefined
  const part = text.split('&').find((part) => part.startsWith(`${key}=`))
  if (part === undefined || part.length > key.length + 1 + limits.tokenCharacters) return undefined
  try {
    return decode(part.slice(key.length + 1))
  } catch {
    return undefined
  }
}
