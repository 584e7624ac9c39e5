import { getUser, updateUser } from '../../shared/contract/users.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { route, type Route } from '../http/route.ts'
import { update, type UserNeeds } from './update.ts'
import { userResource } from './user-resource.ts'

/** The calls under `/api/users`. */
export const userRoutes = (needs: UserNeeds): readonly Route[] => [
  route(getUser, async ({ caller, id }) => {
    const user = await needs.users.find(id)
    if (user === null) throw new AppError('not-found')
    return { kind: 'json', json: userResource(user, caller.may('admin')) }
  }),
  route(updateUser, (asked) => update(needs, asked)),
]
