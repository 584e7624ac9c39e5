import type { abortUpload } from '../../shared/contract/tus.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { root } from '../../shared/domain/path.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import { statOrNull } from '../storage/stat-or-null.ts'
import { findUpload, isUploadDone, discardUpload, type UploadDependencies } from './upload-steps.ts'

/**
 * Cancels an upload of the caller. No permission is required, and an existing file at the upload's path is not changed
 * (contract 4).
 */
export async function cancelUpload(
  dependencies: UploadDependencies,
  { caller, path }: OperationRequest<typeof abortUpload>,
): Promise<RouteResponse> {
  if (path === root) throw new AppError('forbidden')
  // A path that the caller's rules deny is refused here, so that the response does not reveal whether an upload exists.
  await statOrNull(caller.storage, path)
  const upload = await findUpload(dependencies, caller, path)
  await dependencies.partsInFlight.stop(upload.token)
  if (await isUploadDone(dependencies, caller, upload)) throw new AppError('not-found')
  await discardUpload(dependencies, caller, upload)
  await dependencies.uploads.remove([upload.token])
  return { kind: 'status', status: 204 }
}
