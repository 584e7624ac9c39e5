import { type createArchive, progressMediaType } from '../../../shared/contract/archives.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { createLossCollector } from '../../../shared/domain/losses.ts'
import { encodeName, pathOf } from '../../../shared/domain/path.ts'
import type { OperationRequest, RouteResponse } from '../../http/route.ts'
import type { ArchivePacker } from '../archives.ts'
import { progressLines } from './progress-lines.ts'

export type CreateDependencies = {
  readonly chunksFor: ArchivePacker['chunksFor']
  readonly onFault: (error: unknown) => void
}

/** Packs entries of a folder into a new archive. The extension of the archive's name determines its format. */
export async function create(
  { chunksFor, onFault }: CreateDependencies,
  { caller, path, body, signal }: OperationRequest<typeof createArchive>,
): Promise<RouteResponse> {
  if (!caller.may('download')) throw new AppError('forbidden', { permission: 'download' })
  const folder = pathOf(body.folder)
  if (folder === null) throw new AppError('bad-request', { reason: 'the folder is not a path' })
  const { storage } = caller
  await storage.check({ kind: 'write', path, overwrite: 'create', signal })
  const chunksOf = chunksFor(path)
  const lines = progressLines(
    async (progress, work) => {
      Object.assign(progress, { path, bytes: 0 })
      const losses = createLossCollector()
      const chunks = chunksOf({
        storage,
        folder,
        files: body.names.map(encodeName).join(','),
        principal: `user ${caller.user.id}`,
        losses,
        signal: work,
      })
      await storage.apply({
        kind: 'write',
        path,
        body: counted(chunks, progress),
        overwrite: 'create',
        signal: work,
      })
      if (losses.list().length > 0) progress.losses = [...losses.list()]
    },
    { signal, onFault },
  )
  return { kind: 'stream', contentType: progressMediaType, chunks: lines }
}

/** Counts the bytes, and copies each chunk, because the packer uses the memory of a chunk again. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  progress: { bytes?: number },
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    progress.bytes = (progress.bytes ?? 0) + chunk.length
    yield Buffer.from(chunk)
  }
}
