import { AppError } from '../../../shared/domain/failure.ts'
import { createLossCollector } from '../../../shared/domain/losses.ts'
import { encodeName, type Path } from '../../../shared/domain/path.ts'
import type { Actor } from '../../access/actor.ts'
import type { ArchivePacker } from '../archives.ts'
import { counted, progressLines } from './progress-lines.ts'

export type CreateDependencies = {
  readonly chunksFor: ArchivePacker['chunksFor']
  readonly onFault: (error: unknown) => void
}

/** An archive to create from entries of a folder. */
export type Packing = {
  readonly path: Path
  readonly folder: Path
  readonly names: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Packs entries of a folder into a new archive. The extension of the archive's name determines its format. Yields lines of
 * JSON that tell the progress.
 */
export async function create(
  { chunksFor, onFault }: CreateDependencies,
  { storage, may, user }: Actor,
  { path, folder, names, signal }: Packing,
): Promise<AsyncIterable<string>> {
  // The storage would refuse as well, but only when the response has begun.
  if (!may('download')) throw new AppError('forbidden', { permission: 'download' })
  await storage.check({ kind: 'write', path, overwrite: 'create', signal })
  const chunksOf = chunksFor(path)
  return progressLines(
    async (progress, work) => {
      Object.assign(progress, { path, bytes: 0 })
      const losses = createLossCollector()
      const chunks = chunksOf({
        storage,
        folder,
        files: names.map(encodeName).join(','),
        principal: `user ${user.id}`,
        losses,
        signal: work,
      })
      const body = counted(chunks, progress)
      await storage.asOne({ action: 'compress', path, packed: { folder, names } }, (changed) =>
        changed.apply({ kind: 'write', path, body, overwrite: 'create', signal: work }),
      )
      if (losses.list().length > 0) progress.losses = [...losses.list()]
    },
    { signal, onFault },
  )
}
