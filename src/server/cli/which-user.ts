import { AppError } from '../../shared/domain/failure.ts'
import type { User, Users } from '../records/port.ts'

/** The user that a word names: digits are always an id (contract 14.2). */
export async function whichUser(users: Users, who: string): Promise<User> {
  const user = /^\d+$/.test(who) ? await users.find(Number(who)) : await users.findByName(who)
  if (user === null) throw new AppError('not-found', { reason: `there is no user ${who}` })
  return user
}
