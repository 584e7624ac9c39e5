import type { removeUser } from '../../shared/contract/users.ts'
import { done, type Answer, type Asked } from '../http/route.ts'
import { checkCurrentPassword } from './current-password.ts'
import type { UserNeeds } from './user-needs.ts'

/** Removes a user, but never the last administrator (contract 10.5). */
export async function remove(
  needs: UserNeeds,
  { caller, id, body }: Asked<typeof removeUser>,
): Promise<Answer> {
  await checkCurrentPassword(needs, caller.user, body?.current_password)
  await needs.remove(id)
  return done
}
