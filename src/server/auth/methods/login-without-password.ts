import { AppError } from '../../../shared/domain/failure.ts'
import type { UserStore } from '../../records/user-store.ts'
import { findUnknownHost } from '../known-hosts.ts'
import type { LoginMethod } from './login-method.ts'

/** The id of the user as whom everybody acts on a server without a login. */
export const firstUserId = 1

type LoginWithoutPasswordDependencies = {
  readonly users: Pick<UserStore, 'find'>
  readonly trustedOrigins: readonly string[]
}

/**
 * Creates the login method without credentials: everybody is signed in as the first user (contract 2.7). It throws
 * `unknown-host` for a request that a page of another site may have sent by DNS rebinding.
 */
export const loginWithoutPassword =
  ({ users, trustedOrigins }: LoginWithoutPasswordDependencies): LoginMethod =>
  async ({ client, header }) => {
    const forwarded = client.isProxy ? header('x-forwarded-host') : undefined
    const unknown = findUnknownHost([header('host'), forwarded], trustedOrigins)
    if (unknown !== null) throw unknownHostError(unknown)
    const user = await users.find(firstUserId)
    if (user === null || user.isDisabled) throw new AppError('login-failed')
    return user
  }

const unknownHostError = (host: string): AppError =>
  new AppError('unknown-host', {
    reason:
      `this server needs no login and does not know the host ${host}; to allow it, start with ` +
      `--trustedOrigins and the address that the browser shows, such as https://${host}`,
    ...(/^[\w.:[\]-]{1,255}$/.test(host) && { receivedHost: host }),
  })
