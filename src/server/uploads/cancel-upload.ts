import { AppError } from '../../shared/domain/failure.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import { statOrNull } from '../storage/stat-or-null.ts'
import { findUpload, isUploadDone, discardUpload, type UploadDependencies } from './upload-steps.ts'

/**
 * Cancels an upload of a user. No permission is required, and an existing file at the upload's path is not changed
 * (contract 4).
 */
export async function cancelUpload(
  dependencies: UploadDependencies,
  actor: Actor,
  path: Path,
): Promise<void> {
  if (path === root) throw new AppError('forbidden')
  // A path that the rules of the user deny is refused here, so that the error does not reveal whether an upload exists.
  await statOrNull(actor.storage, path)
  const upload = await findUpload(dependencies, actor, path)
  await dependencies.partsInFlight.stop(upload.token)
  if (await isUploadDone(dependencies, actor, upload)) throw new AppError('not-found')
  await discardUpload(dependencies, actor.storage, upload)
  await dependencies.uploads.remove([upload.token])
}
