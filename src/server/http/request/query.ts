import { AppError } from '../../../shared/domain/failure.ts'

/**
 * Parses a query into its decoded keys and values. Throws `bad-request` for a repeated key and for malformed
 * percent-encoding.
 */
export function parseQuery(text: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>()
  for (const part of text.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    const key = decode(at < 0 ? part : part.slice(0, at))
    if (query.has(key)) throw new AppError('bad-request', { reason: 'a query key is given twice' })
    query.set(key, at < 0 ? '' : decode(part.slice(at + 1)))
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
 * Returns the value of one key of a query that has not been checked yet. Undefined when the key is missing or cannot be
 * decoded.
 */
export function queryValue(text: string, key: string): string | undefined {
  if (text === '') return undefined
  const part = text.split('&').find((part) => part.startsWith(`${key}=`))
  try {
    return part === undefined ? undefined : decode(part.slice(key.length + 1))
  } catch {
    return undefined
  }
}
