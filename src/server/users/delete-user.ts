import type { removeUser } from '../../shared/contract/users.ts'
import { done, type RouteResponse, type OperationRequest } from '../http/route.ts'
import { checkCurrentPassword } from './user-passwords.ts'
import type { UserDependencies } from './user-dependencies.ts'

/** Removes a user. The last administrator cannot be removed (contract 10.5). */
export async function deleteUser(
  dependencies: UserDependencies,
  { caller, params: { id }, body }: OperationRequest<typeof removeUser>,
): Promise<RouteResponse> {
  await checkCurrentPassword(dependencies, caller.user, body?.current_password)
  await dependencies.removeUser(id)
  return done
}
