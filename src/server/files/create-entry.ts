import type { Entry } from '../../shared/domain/entry.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { ChangedEntry, IncomingBody } from '../storage/change.ts'
import { statOrNull } from '../storage/stat-or-null.ts'

/** Creates a folder and the missing folders above it. An existing folder is kept (contract 3.6). */
export async function createFolder({ storage }: Actor, path: Path, signal: AbortSignal): Promise<void> {
  await storage.apply({ kind: 'makeFolder', path, parents: true, mayExist: true, signal })
}

/** A file whose bytes arrive in one piece. */
export type ArrivingFile = {
  readonly path: Path
  readonly body: IncomingBody
  readonly sizeBytes: number | undefined
  /** True when an existing file may be replaced. */
  readonly mayReplace: boolean
  /**
   * Returns the modification time of the file in ms since 1970, or undefined for the current time. `replaced` is the
   * entry that the file replaces.
   */
  readonly modifiedMs: (replaced: Entry | null) => number | undefined
}

/**
 * Creates or replaces a file, and creates the missing folders above it. All checks that do not depend on the bytes are
 * made before the first one is read (contract 3.6).
 */
export async function createFile(
  { storage }: Actor,
  { path, body, sizeBytes, mayReplace, modifiedMs }: ArrivingFile,
  signal: AbortSignal,
): Promise<ChangedEntry> {
  // A new file needs no lookup, because the storage refuses to create a file whose name already exists.
  const existing = mayReplace ? await statOrNull(storage, path) : null
  return storage.apply({
    kind: 'write',
    path,
    body,
    overwrite: existing === null ? 'create' : 'upsert',
    sizeBytes,
    modifiedMs: modifiedMs(existing),
    parents: true,
    signal,
  })
}
