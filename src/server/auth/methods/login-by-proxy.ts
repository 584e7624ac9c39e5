import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import type { SettingsStore } from '../../records/settings.ts'
import type { User, UserStore } from '../../records/user-store.ts'
import { findReboundHost } from '../known-hosts.ts'
import { similarNameError } from './similar-name.ts'
import type { LoginAttempt, LoginMethod } from './login-method.ts'

export type ProxyLoginDependencies = {
  readonly users: Pick<UserStore, 'findByName' | 'hasSimilarName'>
  readonly settings: Pick<SettingsStore, 'signIn'>
  readonly trustedOrigins: readonly string[]
  /** Creates a user with a random password that nobody knows. */
  readonly createUser: (username: string) => Promise<User>
}

/**
 * Creates the login method for a trusted proxy, which has authenticated the user and sends the user's name in a header.
 * The header is ignored when any other client sends it (contract 2.7). A request that a page of another site may have sent
 * by DNS rebinding, from a browser whose address is trusted, fails too.
 */
export const loginByProxy =
  (dependencies: ProxyLoginDependencies): LoginMethod =>
  async ({ client, header, headerValues, plainPort }) => {
    const { header: name } = await dependencies.settings.signIn()
    const values = userHeaderValues(headerValues, name)
    const username = client.isProxy ? usernameFromProxy(values) : null
    if (username === null || username === '')
      throw missingNameError(client, { name, isSent: values.length > 0 })
    const rebound = findReboundHost(
      { origin: header('origin'), host: header('host'), plainPort },
      dependencies.trustedOrigins,
    )
    if (rebound !== null) throw reboundHostError(rebound)
    const known = await dependencies.users.findByName(username)
    if (known === null && username.includes(',')) throw joinedNamesError(name)
    if (known === null && oddWhiteSpace.test(username)) throw whiteSpaceError(name)
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

const reboundHostError = (host: string): AppError =>
  new AppError('login-failed', {
    reason:
      `the page at http://${host} reached this server without a proxy, and its host is not known; to allow it, ` +
      `start with --trustedOrigins http://${host}`,
  })

/** White space other than a blank, control characters, and a byte order mark. Names with them look like other names. */
const oddWhiteSpace = /[^\S ]|\p{Cc}/u

const whiteSpaceError = (name: string): AppError =>
  new AppError('login-failed', {
    reason: `the header ${name} contains white space other than blanks, or control characters, and no user has this name`,
  })

/** Creates the error of a login without a user name. Its reason tells the administrator which option is missing. */
function missingNameError(
  client: LoginAttempt['client'],
  { name, isSent }: { readonly name: string; readonly isSent: boolean },
): AppError {
  const reason =
    isSent && !client.isProxy
      ? `the header ${name} came from ${client.address}, which --auth.trustedProxies does not contain`
      : `the header ${name} is missing, empty or repeated`
  return new AppError('login-failed', { reason })
}

/** Returns the values of the header that the settings name, and none when they name no header. */
export const userHeaderValues = (
  headerValues: (name: string) => readonly string[],
  name: string,
): readonly string[] => (name === '' ? [] : headerValues(name.toLowerCase()))

/**
 * Returns the user name in the values of the header of a trusted proxy. The name is empty when the header is missing or
 * empty, which means that the proxy names nobody. Returns null when the header was sent several times or contains no
 * readable name.
 */
export function usernameFromProxy(values: readonly string[]): string | null {
  const [value = '', ...others] = values
  return others.length > 0 ? null : decodeHeader(value)
}

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
 * Decodes a header value, and removes the blanks and tabs around it, which belong to no value in HTTP. All other characters
 * belong to the name, because the program that has authenticated the user may distinguish names by them. Node decodes
 * headers as Latin-1, but names in them are UTF-8. Returns null for invalid UTF-8.
 */
function decodeHeader(value: string): string | null {
  // Each request of a session is checked for a name, and most servers have no proxy that sends one.
  if (value === '') return ''
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(value, 'latin1'),
    )
    let [start, end] = [0, text.length]
    while (start < end && isBlank(text[start])) start += 1
    while (start < end && isBlank(text[end - 1])) end -= 1
    return text.slice(start, end)
  } catch {
    return null
  }
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'
