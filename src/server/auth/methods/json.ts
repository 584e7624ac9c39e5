import { AppError } from '../../../shared/domain/failure.ts'
import type { User, Users } from '../../records/port.ts'
import type { Captcha } from '../captcha.ts'
import type { Passwords } from '../passwords.ts'
import type { Throttle } from '../throttle.ts'
import type { Method } from './method.ts'

type StoredPasswords = {
  readonly users: Pick<Users, 'findByName' | 'hashBeginning' | 'rehash'>
  readonly passwords: Passwords
}

type JsonNeeds = StoredPasswords & {
  readonly throttle: Throttle
  /** Whether the answer to the challenge is good. */
  readonly captcha: Captcha
}

/** Name and password. An unknown name, a wrong password and a disabled user cannot be told apart, by time either. */
export const loginByPassword =
  (needs: JsonNeeds): Method =>
  async ({ username, password, challenge, client }) => {
    // Nothing was tried, so nothing counts: an old client asks like this at its start.
    if (username === '' && password === '') throw new AppError('login-failed')
    const who = { account: username, address: client.address }
    const user = await needs.throttle(who, async () =>
      (await needs.captcha(challenge)) ? ownerOf(needs, username, password) : null,
    )
    if (user === null) throw new AppError('login-failed')
    return strengthened(needs, user, password)
  }

/** Of bcrypt, which passwords that were taken over are hashed with. */
const oldMark = '$2'

/**
 * Whose name and password it is; null when nobody's. It takes the same time either way: as long as somebody's password is hashed in the
 * old way, every password is checked in both.
 */
export async function ownerOf(
  { users, passwords }: StoredPasswords,
  username: string,
  password: string,
): Promise<User | null> {
  const user = await users.findByName(username.toWellFormed().replaceAll('\0', '\ufffd'))
  const oldHash = await users.hashBeginning(oldMark)
  const isRight = await (user === null
    ? passwords.verifyNobody(password)
    : passwords.verify(password, user.passwordHash))
  const isOld = user?.passwordHash.startsWith(oldMark) === true
  if (oldHash !== null) await (isOld ? passwords.verifyNobody(password) : passwords.verify(password, oldHash))
  return isRight && user !== null && !user.isDisabled ? user : null
}

/** Replaces a weak hash while the password is at hand. A server that is too busy for it does it at the next login. */
export async function strengthened(
  { users, passwords }: StoredPasswords,
  user: User,
  password: string,
): Promise<User> {
  if (!passwords.needsRehash(user.passwordHash)) return user
  try {
    const passwordHash = await passwords.hash(password)
    await users.rehash(user.id, { from: user.passwordHash, to: passwordHash })
    return { ...user, passwordHash }
  } catch (error) {
    if (error instanceof AppError) return user
    throw error
  }
}
