import type { removeResource } from '../../shared/contract/resources.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { root } from '../../shared/domain/path.ts'
import { done, type RouteResponse, type OperationRequest } from '../http/route.ts'

/**
 * Deletes an entry and, for a folder, everything in it. The root cannot be deleted. A comparison with `/` is enough,
 * because the path parser normalises every spelling of the root.
 */
export async function removeEntry({
  caller,
  path,
  signal,
}: OperationRequest<typeof removeResource>): Promise<RouteResponse> {
  if (path === root) throw new AppError('forbidden')
  await caller.storage.apply({ kind: 'remove', path, recursive: true, signal })
  return done
}
