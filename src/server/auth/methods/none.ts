import { AppError } from '../../../shared/domain/failure.ts'
import type { Users } from '../../records/port.ts'
import type { Method } from './method.ts'

const firstUserId = 1

/** No login at all: everybody is the first user (contract 2.7). */
export const loginWithoutPassword =
  (users: Pick<Users, 'find'>): Method =>
  async () => {
    const user = await users.find(firstUserId)
    if (user === null || user.isDisabled) throw new AppError('login-failed')
    return user
  }
