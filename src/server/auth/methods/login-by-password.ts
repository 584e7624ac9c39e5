import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import type { User, UserStore } from '../../records/user-store.ts'
import type { CaptchaVerifier } from '../captcha.ts'
import type { PasswordHasher } from '../passwords.ts'
import type { Throttle } from '../throttle.ts'
import { similarNameError } from './similar-name.ts'
import type { LoginMethod } from './login-method.ts'

type CredentialDependencies = {
  readonly users: Pick<UserStore, 'findByName' | 'hasSimilarName' | 'findHashWithPrefix' | 'rehash'>
  readonly passwords: PasswordHasher
}

type PasswordLoginDependencies = CredentialDependencies & {
  readonly throttle: Throttle
  /** Checks the response to the challenge. */
  readonly captcha: CaptchaVerifier
}

/**
 * Creates the login method with name and password. Clients cannot distinguish an unknown name, a wrong password and a
 * disabled user, not even by the response time.
 */
export const loginByPassword =
  (dependencies: PasswordLoginDependencies): LoginMethod =>
  async ({ username, password, challenge, client }) => {
    // Empty credentials do not count as a failure: old clients send them when they start.
    if (username === '' && password === '') throw new AppError('login-failed')
    const who = { account: username, address: client.address }
    const user = await dependencies.throttle(who, async () =>
      (await dependencies.captcha(challenge)) ? findByCredentials(dependencies, username, password) : null,
    )
    if (user === null) throw await failedLogin(dependencies, username)
    return withStrongHash(dependencies, user, password)
  }

/** Returns the error of a failed login. Its reason, if it has one, is for the log. */
async function failedLogin({ users }: CredentialDependencies, username: string): Promise<AppError> {
  const [user, isSimilar] = await Promise.all([users.findByName(username), users.hasSimilarName(username)])
  return user === null && isSimilar ? similarNameError() : new AppError('login-failed')
}

/** Prefix of bcrypt hashes, which File Browser created. */
const bcryptPrefix = '$2'

/**
 * Returns the user with this name and password, or null when no user matches. The time does not depend on the result:
 * while any user's password has a bcrypt hash, every password is checked with both algorithms.
 */
export async function findByCredentials(
  { users, passwords }: CredentialDependencies,
  username: string,
  password: string,
): Promise<User | null> {
  const user = await users.findByName(username.toWellFormed().replaceAll('\0', '\ufffd'))
  const oldHash = await users.findHashWithPrefix(bcryptPrefix)
  const isRight = await (user === null
    ? passwords.verifyNobody(password)
    : passwords.verify(password, user.passwordHash))
  const isOld = user?.passwordHash.startsWith(bcryptPrefix) === true
  if (oldHash !== null) await (isOld ? passwords.verifyNobody(password) : passwords.verify(password, oldHash))
  return isRight && user !== null && !user.isDisabled ? user : null
}

/**
 * Replaces a weak hash at a login, when the password is known. If the server is too busy or the disk of the database is
 * full, it replaces the hash at the next login.
 */
export async function withStrongHash(
  { users, passwords }: CredentialDependencies,
  user: User,
  password: string,
): Promise<User> {
  if (!passwords.needsRehash(user.passwordHash)) return user
  try {
    const passwordHash = await passwords.hash(password)
    await users.rehash(user.id, { from: user.passwordHash, to: passwordHash })
    return { ...user, passwordHash }
  } catch (error) {
    if (codeOf(error) === 'overloaded' || codeOf(error) === 'no-space') return user
    throw error
  }
}
