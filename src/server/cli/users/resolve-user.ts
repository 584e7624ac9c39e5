import { AppError } from '../../../shared/domain/failure.ts'
import type { User, UserStore } from '../../records/port.ts'

/**
 * Returns the user with the given id or name. A text of digits is always an id (contract 14.2). Throws `not-found` for
 * an unknown user.
 */
export async function resolveUser(users: UserStore, who: string): Promise<User> {
  const user = /^\d+$/.test(who) ? await users.find(Number(who)) : await users.findByName(who)
  if (user === null) throw new AppError('not-found', { reason: `there is no user ${who}` })
  return user
}
