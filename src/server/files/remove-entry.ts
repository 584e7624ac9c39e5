import { AppError } from '../../shared/domain/failure.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'

/**
 * Deletes an entry and, for a folder, everything in it. The root cannot be deleted. A comparison with `/` is enough,
 * because the path parser normalises every spelling of the root.
 */
export async function removeEntry({ storage }: Actor, path: Path, signal: AbortSignal): Promise<void> {
  if (path === root) throw new AppError('forbidden')
  await storage.apply({ kind: 'remove', path, recursive: true, signal })
}
