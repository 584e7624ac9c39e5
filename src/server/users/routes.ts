import { createUser, getUser, listUsers, removeUser, updateUser } from '../../shared/contract/users.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Caller } from '../access/caller.ts'
import { route, type Answer, type Route } from '../http/route.ts'
import type { User } from '../records/port.ts'
import { create } from './create.ts'
import { remove } from './remove.ts'
import { update } from './update.ts'
import type { UserNeeds } from './user-needs.ts'
import { userResource } from './user-resource.ts'

/** The calls under `/api/users`. */
export const userRoutes = (needs: UserNeeds): readonly Route[] => [
  route(listUsers, async () => ({
    kind: 'json',
    json: (await needs.users.list()).map((user) => userResource(user, true)),
  })),
  route(createUser, (asked) => create(needs, asked)),
  route(getUser, ({ caller, id }) =>
    id === caller.user.id
      ? shown(caller, caller.user)
      : needs.users.find(id).then((user) => shown(caller, user)),
  ),
  route(updateUser, (asked) => update(needs, asked)),
  route(removeUser, (asked) => remove(needs, asked)),
]

function shown(caller: Caller, user: User | null): Answer {
  if (user === null) throw new AppError('not-found')
  return { kind: 'json', json: userResource(user, caller.may('admin')) }
}
