import { createUser, getUser, listUsers, removeUser, updateUser } from '../../shared/contract/users.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { route, type Route } from '../http/route.ts'
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
  route(getUser, async ({ caller, id }) => {
    const user = await needs.users.find(id)
    if (user === null) throw new AppError('not-found')
    return { kind: 'json', json: userResource(user, caller.may('admin')) }
  }),
  route(updateUser, (asked) => update(needs, asked)),
  route(removeUser, (asked) => remove(needs, asked)),
]
