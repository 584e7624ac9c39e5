import { AppError } from '../../../shared/domain/failure.ts'
import type { User, UserStore } from '../../records/user-store.ts'

/**
 * Returns the user with the given id or name. A text of digits is always an id (contract 14.2). Throws `not-found` for
 * an unknown user.
 */
export async function resolveUser(users: UserStore, idOrName: string): Promise<User> {
  const user = /^\d+$/.test(idOrName) ? await users.find(Number(idOrName)) : await users.findByName(idOrName)
  if (user === null) throw new AppError('not-found', { reason: `there is no user ${idOrName}` })
  return user
}
