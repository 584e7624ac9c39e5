import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import type { SettingsStore, User, Users } from '../../records/port.ts'
import type { Method } from './method.ts'

export type ProxyNeeds = {
  readonly users: Pick<Users, 'findByName'>
  readonly settings: Pick<SettingsStore, 'signIn'>
  /** Makes somebody whom nobody has heard of, with a password that nobody knows. */
  readonly welcome: (username: string) => Promise<User>
}

/** A proxy before us has asked who it is and says so in a header. From anybody else the header says nothing (contract 2.7). */
export const loginByProxy =
  (needs: ProxyNeeds): Method =>
  async ({ client, header }) => {
    const { header: name } = await needs.settings.signIn()
    const username = vouchedName({ isProxy: client.isProxy, header }, name)
    if (username === '') throw new AppError('login-failed')
    const user = (await needs.users.findByName(username)) ?? (await welcomed(needs, username))
    if (user.isDisabled) throw new AppError('login-failed')
    return user
  }

/** Whom a trusted proxy names in the header of this name; empty where nobody does. */
export const vouchedName = (
  { isProxy, header }: { readonly isProxy: boolean; readonly header: (name: string) => string | undefined },
  name: string,
): string => (isProxy && name !== '' ? decoded(header(name.toLowerCase())) : '')

/** Two first requests at once make one user. A name that cannot be stored is nobody's. */
async function welcomed({ users, welcome }: ProxyNeeds, username: string): Promise<User> {
  try {
    return await welcome(username)
  } catch (cause) {
    const known = codeOf(cause) === 'name-taken' ? await users.findByName(username) : null
    if (known !== null) return known
    const isNobody = ['name-taken', 'bad-request'].includes(codeOf(cause))
    throw isNobody ? new AppError('login-failed', { cause }) : cause
  }
}

/** Headers come byte by byte; names in them are UTF-8. */
function decoded(value: string | undefined): string {
  if (value === undefined) return ''
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1')).trim()
  } catch {
    return ''
  }
}
