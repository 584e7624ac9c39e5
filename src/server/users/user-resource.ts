import { pickMembers } from '../../shared/contract/fields/fields.ts'
import { userField, userFieldNames } from '../../shared/contract/fields/user-fields.ts'
import type { UserResource } from '../../shared/contract/users.ts'
import type { Account } from '../records/user-store.ts'

const shownToOthers = Object.fromEntries(
  userFieldNames.flatMap((name) => {
    const value = userField(name).shownToOthers
    return value === undefined ? [] : [[name, value] as const]
  }),
)

/**
 * Returns the representation of a user in responses. It never contains a password, and contains the scope only for
 * administrators (contract 10.1, 10.2). A user without a sort key has the sort key `name`.
 */
export const userResource = (user: Account, isForAdmin: boolean): UserResource => ({
  id: user.id,
  username: user.username,
  password: '',
  isDisabled: user.isDisabled,
  ...pickMembers(user, userFieldNames),
  ...(isForAdmin ? {} : shownToOthers),
  sorting: { by: user.sorting.by === '' ? 'name' : user.sorting.by, asc: user.sorting.asc },
})
