import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import type { SettingsStore, User, UserFields, Users } from '../../records/port.ts'
import type { Passwords } from '../passwords.ts'
import type { Throttle } from '../throttle.ts'
import { ownerOf, strengthened } from './json.ts'
import type { Attempt, Method } from './method.ts'
import { fieldsOfVerdict, readVerdict } from './hook-verdict.ts'
import type { RunLogin } from './run-login.ts'

export type HookNeeds = {
  readonly users: Users
  readonly settings: Pick<SettingsStore, 'signIn'>
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly isExecOn: boolean
  readonly run: RunLogin
  /** Makes somebody whom nobody has heard of, with what the program says of them. */
  readonly welcome: (who: Attempt, change: (fields: UserFields) => Partial<UserFields>) => Promise<User>
}

/**
 * The administrator's own program judges (contract 2.7): it lets in, keeps out, or leaves it to the password that is stored here. What it
 * says of a person is stored with them; what it does not name stays, rules too.
 */
export const loginByHook =
  (needs: HookNeeds): Method =>
  async (attempt) => {
    const { username, password, client } = attempt
    if (username === '' && password === '') throw new AppError('login-failed')
    if (`${username}${password}`.includes('\0')) throw new AppError('login-failed')
    const who = { account: username, address: client.address }
    const user = await needs.throttle(who, () => judged(needs, attempt))
    if (user === null || user.isDisabled) throw new AppError('login-failed')
    return user
  }

async function judged(needs: HookNeeds, attempt: Attempt): Promise<User | null> {
  const { command } = await needs.settings.signIn()
  const { username, password } = attempt
  const verdict = readVerdict(await needs.run(command, { username, password }))
  if (verdict === null) return null
  switch (verdict.get('hook.action')) {
    case 'auth':
      return admitted(needs, attempt, verdict)
    case 'block':
      return null
    case 'pass': {
      const owner = await ownerOf(needs, username, password)
      return owner && strengthened(needs, owner, password)
    }
    default:
      throw new AppError('internal', { reason: 'the login program decided nothing' })
  }
}

async function admitted(
  needs: HookNeeds,
  attempt: Attempt,
  verdict: ReadonlyMap<string, string>,
): Promise<User> {
  const change = (fields: UserFields): Partial<UserFields> => fieldsOfVerdict(verdict, fields, needs.isExecOn)
  try {
    const known = await needs.users.findByName(attempt.username)
    if (known === null) return await needs.welcome(attempt, change)
    return await updated(needs, known, {
      ...change(known),
      ...(await newPassword(needs, known, attempt.password)),
    })
  } catch (cause) {
    if (codeOf(cause) !== 'bad-request' && codeOf(cause) !== 'name-taken') throw cause
    throw new AppError('internal', { cause, reason: 'what the login program says cannot be stored' })
  }
}

/** What is as it was is not written: that would ask every client of the person for a renewal. */
async function updated(needs: HookNeeds, known: User, said: Partial<UserFields>): Promise<User> {
  const keys = Object.keys(said) as (keyof UserFields)[]
  const isNew = keys.some((key) => JSON.stringify(said[key]) !== JSON.stringify(known[key]))
  return isNew ? needs.users.update(known.id, said) : known
}

/** The stored password follows the one that the program took, so that it is there when the program is not. */
async function newPassword(
  { passwords }: HookNeeds,
  known: User,
  password: string,
): Promise<Pick<UserFields, 'passwordHash'> | null> {
  if (password === '' || (await passwords.verify(password, known.passwordHash))) return null
  return { passwordHash: await passwords.hash(password) }
}
