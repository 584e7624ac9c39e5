import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import type { SettingsStore } from '../../records/settings.ts'
import type { User, UserStore } from '../../records/user-store.ts'
import { similarNameError } from './similar-name.ts'
import type { LoginAttempt, LoginMethod } from './login-method.ts'

export type ProxyLoginDependencies = {
  readonly users: Pick<UserStore, 'findByName' | 'hasSimilarName'>
  readonly settings: Pick<SettingsStore, 'signIn'>
  /** Creates a user with a random password that nobody knows. */
  readonly createUser: (username: string) => Promise<User>
}

/**
 * Creates the login method for a trusted proxy, which has authenticated the user and sends the user's name in a header.
 * The header is ignored when any other client sends it (contract 2.7).
 */
export const loginByProxy =
  (dependencies: ProxyLoginDependencies): LoginMethod =>
  async ({ client, header, soleHeader }) => {
    const { header: name } = await dependencies.settings.signIn()
    const username = usernameFromProxy({ isProxy: client.isProxy, header: soleHeader }, name)
    if (username === '') throw missingNameError({ client, header }, name)
    const known = await dependencies.users.findByName(username)
    if (known === null && username.includes(',')) throw joinedNamesError(name)
    const user = known ?? (await createOrFindUser(dependencies, username))
    if (user.isDisabled) throw new AppError('login-failed')
    return user
  }

/**
 * Creates the error of a login with an unknown name that contains a comma. A proxy that adds its header to that of the client may
 * send both as one header, and the server cannot distinguish them from one name. An administrator may still create such a user.
 */
const joinedNamesError = (name: string): AppError =>
  new AppError('login-failed', {
    reason: `the header ${name} contains a comma, and no user has this name; the proxy may have joined two headers`,
  })

/** Creates the error of a login without a user name. Its reason tells the administrator which option is missing. */
function missingNameError(
  { client, header }: Pick<LoginAttempt, 'client' | 'header'>,
  name: string,
): AppError {
  const isSent = name !== '' && header(name.toLowerCase()) !== undefined
  const reason =
    isSent && !client.isProxy
      ? `the header ${name} came from ${client.address}, which --auth.trustedProxies does not contain`
      : `the header ${name} is missing, empty or repeated`
  return new AppError('login-failed', { reason })
}

/** Returns the user name that a trusted proxy sends in the given header, or an empty text when there is no name. */
export const usernameFromProxy = (
  { isProxy, header }: { readonly isProxy: boolean; readonly header: (name: string) => string | undefined },
  name: string,
): string => (isProxy && name !== '' ? decodeHeader(header(name.toLowerCase())) : '')

/**
 * Creates the user whom the proxy names. Two concurrent first requests create only one user. The login fails for a name
 * that cannot be stored.
 */
async function createOrFindUser(
  { users, createUser }: ProxyLoginDependencies,
  username: string,
): Promise<User> {
  try {
    return await createUser(username)
  } catch (cause) {
    const known = codeOf(cause) === 'name-taken' ? await users.findByName(username) : null
    if (known !== null) return known
    if (await users.hasSimilarName(username)) throw similarNameError(cause)
    const isNobody = ['name-taken', 'bad-request'].includes(codeOf(cause))
    throw isNobody ? new AppError('login-failed', { cause }) : cause
  }
}

/**
 * Decodes a header value: Node decodes headers as Latin-1, but names in them are UTF-8. Returns an empty text for
 * invalid UTF-8.
 */
function decodeHeader(value: string | undefined): string {
  if (value === undefined) return ''
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1')).trim()
  } catch {
    return ''
  }
}
