import type { updateShare } from '../../shared/contract/shares.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { OperationRequest, RouteResponse } from '../http/route.ts'
import type { ShareChanges, ShareStore, UserStore } from '../records/port.ts'
import { shareResource, type DropTotalsDependencies } from './list-shares.ts'
import { ownShareAt } from './own-share.ts'
import type { RealPathResolver } from './real-paths.ts'
import { requireFittingMode } from './sharing-permission.ts'
import { changedTermsOf } from './share-terms.ts'

export type ChangeShareDependencies = DropTotalsDependencies & {
  readonly shares: Pick<ShareStore, 'find' | 'update'>
  readonly users: Pick<UserStore, 'find'>
  readonly realPaths: Pick<RealPathResolver, 'inScope'>
  readonly settled: () => Promise<void>
  readonly hashPassword: (password: string) => Promise<string>
  readonly nowMs: () => number
}

/** Changes a share of the caller, or any share for an administrator. Its hash stays (decision 71). */
export async function changeShare(
  dependencies: ChangeShareDependencies,
  request: OperationRequest<typeof updateShare>,
): Promise<RouteResponse> {
  await dependencies.settled()
  const { hash, userId, kind } = await ownShareAt(dependencies.shares, request)
  requireFittingMode(request.caller, request.body.mode, kind)
  const terms = changedTermsOf(request.body, dependencies.nowMs())
  const password = await passwordChangesOf(dependencies, request.body.password)
  const share = await dependencies.shares.update(hash, { ...terms, ...password })
  const owner = await dependencies.users.find(userId)
  // The share may have ended while its new password was hashed.
  if (share === null || owner === null) throw new AppError('not-found')
  return { kind: 'json', json: await shareResource(dependencies, share, owner) }
}

/** Returns the changes that a password makes. The stored token of an imported share ends with its password. */
async function passwordChangesOf(
  { hashPassword }: Pick<ChangeShareDependencies, 'hashPassword'>,
  password: string | null | undefined,
): Promise<ShareChanges> {
  if (password === null || password === undefined) return {}
  return { passwordHash: password === '' ? null : await hashPassword(password), tokenDigest: null }
}
