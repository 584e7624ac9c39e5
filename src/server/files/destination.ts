import { AppError } from '../../shared/domain/failure.ts'
import { parsePath, parseWholePath, pathOf, type Path } from '../../shared/domain/path.ts'

/**
 * Returns the destination of a copy or a move. The query string has been decoded once. Clients encode each name a
 * second time, which the path parser undoes. A text with a `%` that is no percent-encoding comes from a script that
 * encoded it once, and is taken literally. A script that encodes the whole path at once, slashes included, is
 * recognised by the encoded slash at the start (contract 3.8).
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
