import {
  checkRules,
  createUser,
  explainAccess,
  getUser,
  listUsers,
  removeUser,
  updateUser,
} from '../../shared/contract/users.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Caller } from '../access/caller.ts'
import { route, type RouteResponse, type Route } from '../http/route.ts'
import type { Account } from '../records/port.ts'
import { addUser } from './add-user.ts'
import { tryRules } from './check-rules.ts'
import { deleteUser } from './delete-user.ts'
import { explainUserAccess } from './explain-access.ts'
import { changeUser } from './change-user.ts'
import type { UserDependencies } from './user-dependencies.ts'
import { userResource } from './user-resource.ts'

/** Returns the routes below `/api/users` and `/api/rules`. */
export const userRoutes = (dependencies: UserDependencies): readonly Route[] => [
  route(listUsers, async () => ({
    kind: 'json',
    json: (await dependencies.users.list()).map((user) => userResource(user, true)),
  })),
  route(createUser, (request) => addUser(dependencies, request)),
  route(getUser, ({ caller, params: { id } }) =>
    id === caller.user.id
      ? responseOf(caller, caller.user)
      : dependencies.users.find(id).then((user) => responseOf(caller, user)),
  ),
  route(updateUser, (request) => changeUser(dependencies, request)),
  route(removeUser, (request) => deleteUser(dependencies, request)),
  route(explainAccess, (request) => explainUserAccess(dependencies, request)),
  route(checkRules, (request) => tryRules(dependencies, request)),
]

function responseOf(caller: Caller, user: Account | null): RouteResponse {
  if (user === null) throw new AppError('not-found')
  return { kind: 'json', json: userResource(user, caller.may('admin')) }
}
