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
import { pathOf } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import { jsonResponse } from '../http/response/json-response.ts'
import { done, route, type RouteResponse, type Route } from '../http/route.ts'
import type { Account } from '../records/user-store.ts'
import { addUser } from './add-user.ts'
import { changeUser } from './change-user.ts'
import { explainUserAccess } from './explain-access.ts'
import { tryRules } from './try-rules.ts'
import type { UserDependencies } from './user-dependencies.ts'
import { checkCurrentPassword } from './user-passwords.ts'
import { userResource } from './user-resource.ts'

/** Returns the routes below `/api/users` and `/api/rules`. */
export const userRoutes = (dependencies: UserDependencies): readonly Route[] => [
  route(listUsers, async () =>
    jsonResponse((await dependencies.users.list()).map((user) => userResource(user, true))),
  ),
  route(createUser, async ({ caller, body }) => {
    requireUser(body.what)
    if ((body.which ?? []).length > 0)
      throw new AppError('bad-request', { reason: 'a new user needs all fields' })
    await checkCurrentPassword(dependencies, caller.user, body.current_password)
    const { id } = await addUser(dependencies, body.data, { createsHome: body.create_home === true })
    return { kind: 'status', status: 201, headers: { Location: `/settings/users/${id}` } }
  }),
  route(getUser, ({ caller, params: { id } }) =>
    id === caller.user.id
      ? responseOf(caller, caller.user)
      : dependencies.users.find(id).then((user) => responseOf(caller, user)),
  ),
  route(updateUser, async ({ caller, params: { id }, body }) => {
    requireUser(body.what)
    const { which, data: fields, current_password: currentPassword } = body
    if (fields['id'] !== id)
      throw new AppError('bad-request', { reason: 'the id differs from the id in the URL' })
    const ownSessionId = caller.session.id
    await changeUser(dependencies, caller, { id, which, fields, currentPassword, ownSessionId })
    return done
  }),
  route(removeUser, async ({ caller, params: { id }, body }) => {
    await checkCurrentPassword(dependencies, caller.user, body?.current_password)
    await dependencies.removeUser(id)
    return done
  }),
  route(explainAccess, async ({ params: { id }, body, signal }) =>
    jsonResponse(await explainUserAccess(dependencies, { ...body, id, signal })),
  ),
  route(checkRules, async ({ caller, body, signal }) => {
    const path = pathOf(body.path)
    if (path === null) throw new AppError('bad-request', { reason: 'not a path' })
    const scope = body.scope ?? caller.user.scope
    const { rules, everybody } = body
    const isForEverybody = everybody === true
    return jsonResponse(await tryRules(dependencies, { rules, scope, path, isForEverybody, signal }))
  }),
]

/** Throws unless a request names the only kind of record that these calls know. */
function requireUser(what: string): void {
  if (what !== 'user') throw new AppError('bad-request', { reason: 'unknown kind of record' })
}

function responseOf(caller: Caller, user: Account | null): RouteResponse {
  if (user === null) throw new AppError('not-found')
  return jsonResponse(userResource(user, caller.may('admin')))
}
