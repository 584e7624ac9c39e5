import { AppError } from '../../shared/domain/failure.ts'
import { parsePath, parseWholePath, pathOf, type Path } from '../../shared/domain/path.ts'

/**
 * Returns the destination of a copy or a move from the query string, which was decoded once. Clients encode each name a
 * second time, and the path parser decodes it. A value with invalid percent-encoding comes from a script that encoded
 * the path only once, and is used unchanged. A script that encodes the whole path including its slashes is recognised
 * by the encoded slash at the start (contract 3.8).
 */
export function destinationOf(text: string | undefined): Path {
  if (text === undefined || text === '') throw new AppError('bad-request', { reason: 'no destination' })
  const path = parseDestination(text)
  if (path === null) throw new AppError('bad-request', { reason: 'bad destination' })
  return path
}

function parseDestination(text: string): Path | null {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return pathOf(text)
  const parse = /^%2f/i.test(text) ? parseWholePath : parsePath
  return parse(text)?.path ?? null
}
