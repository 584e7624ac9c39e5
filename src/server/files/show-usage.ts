import type { getUsage, FileSystemUsage } from '../../shared/contract/usage.ts'
import { isFolder } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'

/**
 * Responds with the total size and the used space of the file system that contains a folder. Both sizes cover the whole
 * file system and not only the caller's scope (contract 8.2).
 */
export async function showUsage({
  caller,
  path,
  signal,
}: OperationRequest<typeof getUsage>): Promise<RouteResponse> {
  const entry = await caller.storage.stat(path, { signal })
  if (entry.target?.kind === 'missing') throw new AppError('not-found')
  if (!isFolder(entry)) return { kind: 'json', json: { total: 0, used: 0 } satisfies FileSystemUsage }
  const { totalBytes, usedBytes } = await caller.storage.usage(path, { signal })
  return { kind: 'json', json: { total: totalBytes, used: usedBytes } satisfies FileSystemUsage }
}
