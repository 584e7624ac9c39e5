import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'
import { byteLength } from '../../../shared/domain/name-bytes.ts'
import type { SettingsStore } from '../../records/settings.ts'
import type { User, UserFields, UserStore } from '../../records/user-store.ts'
import type { PasswordHasher } from '../passwords.ts'
import type { Throttle } from '../throttle.ts'
import { findByCredentials, withStrongHash } from './login-by-password.ts'
import { similarNameError } from './similar-name.ts'
import type { LoginAttempt, LoginMethod } from './login-method.ts'
import { fieldsOfVerdict, readVerdict } from './hook-verdict.ts'
import type { LoginProgramRunner } from './run-login-program.ts'

export type HookLoginDependencies = {
  readonly users: UserStore
  readonly settings: Pick<SettingsStore, 'signIn'>
  readonly passwords: PasswordHasher
  readonly throttle: Throttle
  readonly isExecOn: boolean
  readonly run: LoginProgramRunner
  /** Creates a user with the fields that the program's output sets. */
  readonly createUser: (
    who: LoginAttempt,
    change: (fields: UserFields) => Partial<UserFields>,
  ) => Promise<User>
}

/**
 * Creates the login method that runs a program of the administrator (contract 2.7). The program accepts the login,
 * refuses it, or defers to the stored password. The user fields that it prints are stored; all other fields, including
 * the rules, stay unchanged.
 */
export const loginByHook =
  (dependencies: HookLoginDependencies): LoginMethod =>
  async (attempt) => {
    const { username, password, client } = attempt
    if (username === '' && password === '') throw new AppError('login-failed')
    // A program may print the name, and a line break in it would begin a line of the output.
    if (/\p{Cc}/u.test(username) || password.includes('\0')) throw new AppError('login-failed')
    // No user can have such a name or password, and a program is expensive to start.
    if (byteLength(username) > limits.usernameBytes || byteLength(password) > limits.passwordBytes)
      throw new AppError('login-failed', { reason: 'the name or the password is too long' })
    const who = { account: username, address: client.address }
    const user = await dependencies.throttle(who, () => askProgram(dependencies, attempt))
    if (user === null || user.isDisabled) throw new AppError('login-failed')
    return user
  }

async function askProgram(dependencies: HookLoginDependencies, attempt: LoginAttempt): Promise<User | null> {
  const { command } = await dependencies.settings.signIn()
  const { username, password } = attempt
  const verdict = readVerdict(await dependencies.run(command, { username, password }))
  if (verdict === null) return null
  switch (verdict.get('hook.action')) {
    case 'auth':
      return acceptUser(dependencies, attempt, verdict)
    case 'block':
      return null
    case 'pass': {
      const owner = await findByCredentials(dependencies, username, password)
      return owner && withStrongHash(dependencies, owner, password)
    }
    default:
      throw new AppError('internal', { reason: 'the login program did not print a known hook.action' })
  }
}

async function acceptUser(
  dependencies: HookLoginDependencies,
  attempt: LoginAttempt,
  verdict: ReadonlyMap<string, string>,
): Promise<User> {
  const change = (fields: UserFields): Partial<UserFields> =>
    fieldsOfVerdict(verdict, fields, dependencies.isExecOn)
  // Programs build scopes from the name that the client sent, so a name such as `../bea` would lead to another folder.
  if ((verdict.get('user.scope') ?? '').split('/').includes('..'))
    throw new AppError('login-failed', { reason: 'the login program printed a scope that contains ..' })
  const { users } = dependencies
  try {
    const known = await users.findByName(attempt.username)
    if (known === null) return await createOrFindUser(dependencies, attempt, change)
    return await updateIfChanged(dependencies, known, {
      ...change(known),
      ...(await changedPassword(dependencies, known, attempt.password)),
    })
  } catch (cause) {
    if (codeOf(cause) !== 'bad-request' && codeOf(cause) !== 'name-taken') throw cause
    if (cause instanceof AppError && cause.refused === 'username')
      throw new AppError('login-failed', { cause, reason: cause.reason ?? 'the name is not allowed' })
    throw new AppError('internal', {
      cause,
      reason: 'the user fields that the login program printed cannot be stored',
    })
  }
}

/** Creates the user whom the program accepted. Two concurrent first logins create only one user. */
async function createOrFindUser(
  { users, createUser }: HookLoginDependencies,
  attempt: LoginAttempt,
  change: (fields: UserFields) => Partial<UserFields>,
): Promise<User> {
  try {
    return await createUser(attempt, change)
  } catch (cause) {
    const known = codeOf(cause) === 'name-taken' ? await users.findByName(attempt.username) : null
    if (known !== null) return known
    throw (await users.hasSimilarName(attempt.username)) ? similarNameError(cause) : cause
  }
}

/**
 * Stores the fields only if one of them differs, because every change makes all clients of the user renew their tokens.
 */
async function updateIfChanged(
  dependencies: HookLoginDependencies,
  known: User,
  said: Partial<UserFields>,
): Promise<User> {
  const keys = Object.keys(said) as (keyof UserFields)[]
  const isNew = keys.some((key) => JSON.stringify(said[key]) !== JSON.stringify(known[key]))
  return isNew ? dependencies.users.update(known.id, said) : known
}

/**
 * Returns a hash of the accepted password if it differs from the stored password. The stored password is thus kept up
 * to date for logins in which the program defers to it.
 */
async function changedPassword(
  { passwords }: HookLoginDependencies,
  known: User,
  password: string,
): Promise<Pick<UserFields, 'passwordHash'> | null> {
  if (password === '' || (await passwords.verify(password, known.passwordHash))) return null
  return { passwordHash: await passwords.hash(password) }
}
