import { AppError } from '../../shared/domain/failure.ts'
import { parsePath, parseWholePath, pathOf, type Path } from '../../shared/domain/path.ts'

/**
 * Returns the destination of a copy or a move from a query value that has been decoded once. Clients encode each name
 * twice, so the path parser decodes the names again. Some scripts encode the path only once: a value with invalid
 * percent-encoding comes from such a script and is used unchanged. An encoded slash at the start shows that a script
 * has encoded the whole path including its slashes (contract 3.8).
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
