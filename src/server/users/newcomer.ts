import { homeScope, ownFolder } from '../../shared/domain/home-scope.ts'
import { root } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/door.ts'
import type { Settings, User, UserFields } from '../records/port.ts'
import type { HomeWish } from './provision.ts'

export type NewcomerNeeds = {
  readonly settings: () => Promise<Settings>
  readonly provision: (fields: UserFields, wish: HomeWish) => Promise<User>
}

export type Newcomer = Pick<UserFields, 'username' | 'passwordHash'>

/** What nobody gets but from an administrator: the rest is as the settings say for new users. */
export const newcomerFields = ({ defaults }: Settings, newcomer: Newcomer): UserFields => ({
  ...defaults,
  ...newcomer,
  perm: { ...defaults.perm, admin: false, execute: false },
  commands: [],
  lockPassword: false,
  rules: [],
  isDisabled: false,
})

/**
 * Somebody who made the account alone. They never get the root: where that is the scope of new users, they have a folder of their own
 * even if none are made otherwise. It must be new: `name-taken` for one that is there (contract 2.6).
 */
export async function addSignedUp(needs: NewcomerNeeds, newcomer: Newcomer): Promise<User> {
  const settings = await needs.settings()
  const own = ownFolder(settings, newcomer.username)
  const fields = newcomerFields(settings, newcomer)
  const usual = confinedScope(settings.defaults.scope) ?? root
  return settings.createUserDir || usual === root
    ? needs.provision({ ...fields, scope: own }, 'exclusive')
    : needs.provision(fields, 'none')
}

/**
 * Somebody whom another program vouches for, with what it says of them. Their password is not theirs to change. Where the folder of
 * their name is taken, they get the next free one (contract 2.7).
 */
export async function addVouchedFor(
  needs: NewcomerNeeds,
  newcomer: Newcomer,
  change: (fields: UserFields) => Partial<UserFields>,
): Promise<User> {
  const settings = await needs.settings()
  const plain = { ...newcomerFields(settings, newcomer), lockPassword: true }
  const said = change(plain)
  const scope = homeScope(settings, newcomer.username, said.scope ?? null)
  const made: HomeWish = (said.scope ?? '') === '' ? 'next-free' : 'shared'
  return needs.provision({ ...plain, ...said, scope }, settings.createUserDir ? made : 'none')
}
