import { AppError } from '../../shared/domain/failure.ts'
import { parsePath, parseWholePath, pathOf, type Path } from '../../shared/domain/path.ts'

/**
 * Where a copy or a move goes. The query was decoded once; clients encode each name once more, which the parser of paths undoes.
 * Text that is no encoding at all came from a script that encoded once: it is taken as it stands. A script that encodes all of the
 * path at once, slashes too, is understood by its first one (contract 3.8).
 */
export function destinationOf(text: string | undefined): Path {
  if (text === undefined || text === '') throw new AppError('bad-request', { reason: 'no destination' })
  const path = readingOf(text)
  if (path === null) throw new AppError('bad-request', { reason: 'bad destination' })
  return path
}

function readingOf(text: string): Path | null {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return pathOf(text)
  const read = /^%2f/i.test(text) ? parseWholePath : parsePath
  return read(text)?.path ?? null
}
