import { AppError } from '../../../shared/domain/failure.ts'
import type { UserStore } from '../../records/port.ts'
import type { LoginMethod } from './login-method.ts'

const firstUserId = 1

/** Creates the login method without credentials: everybody is signed in as the first user (contract 2.7). */
export const loginWithoutPassword =
  (users: Pick<UserStore, 'find'>): LoginMethod =>
  async () => {
    const user = await users.find(firstUserId)
    if (user === null || user.isDisabled) throw new AppError('login-failed')
    return user
  }
