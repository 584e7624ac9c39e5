import { AppError } from '../../shared/domain/failure.ts'
import { parsePath, pathOf, type Path } from '../../shared/domain/path.ts'

/**
 * Where a copy or a move goes. The query was decoded once; clients encode each name once more, which the parser of paths undoes.
 * Text that is no encoding at all came from a script that encoded once: it is taken as it stands (contract 3.8).
 */
export function destinationOf(text: string | undefined): Path {
  if (text === undefined || text === '') throw new AppError('bad-request', { reason: 'no destination' })
  const isEncoding = !/%(?![0-9a-fA-F]{2})/.test(text)
  const path = isEncoding ? (parsePath(text)?.path ?? null) : pathOf(text)
  if (path === null) throw new AppError('bad-request', { reason: 'bad destination' })
  return path
}
