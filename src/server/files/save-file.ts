import { isFolder } from '../../shared/domain/entry.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { ChangedEntry, IncomingBody } from '../storage/change.ts'
import { statOrNull } from '../storage/stat-or-null.ts'

/** The new content of an existing file. */
export type NewContent = {
  readonly path: Path
  readonly body: IncomingBody
  readonly sizeBytes: number | undefined
  /** Returns true for the etag of a version that may be replaced. Null when every version may. */
  readonly mayReplace: ((etag: string) => boolean) | null
}

/**
 * Replaces the content of an existing file. The path may be a link to the file. Empty content truncates the file
 * (contract 3.7). Throws `method-not-allowed` for a folder, and `changed-meanwhile` when another version than one that
 * may be replaced stands at the path.
 */
export async function saveFile(
  { storage }: Actor,
  { path, body, sizeBytes, mayReplace }: NewContent,
  signal: AbortSignal,
): Promise<ChangedEntry> {
  const existing = await statOrNull(storage, path)
  if (existing !== null && isFolder(existing)) throw new AppError('method-not-allowed')
  if (existing === null) throw new AppError('not-found')
  if (mayReplace?.(existing.etag) === false) throw new AppError('changed-meanwhile')
  const ifMatch = mayReplace === null ? undefined : existing.etag
  try {
    return await storage.apply({
      kind: 'write',
      path,
      body,
      overwrite: 'replace',
      ifMatch,
      sizeBytes,
      signal,
    })
  } catch (error) {
    if (codeOf(error) === 'is-a-folder') throw new AppError('method-not-allowed', { cause: error })
    throw error
  }
}
