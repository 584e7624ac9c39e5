import type { FileSystemUsage } from '../../shared/contract/usage.ts'
import { isFolder } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'

/**
 * Returns the total size and the used space of the file system that contains a folder. Both sizes cover the whole file
 * system and not only the actor's scope (contract 8.2).
 */
export async function showUsage(
  { storage }: Actor,
  path: Path,
  signal: AbortSignal,
): Promise<FileSystemUsage> {
  const entry = await storage.stat(path, { signal })
  if (entry.target?.kind === 'missing') throw new AppError('not-found')
  if (!isFolder(entry)) return { total: 0, used: 0 }
  const { totalBytes, usedBytes } = await storage.usage(path, { signal })
  return { total: totalBytes, used: usedBytes }
}
