import type { Settings } from '../../shared/contract/setting-fields.ts'
import type { User, UserFields, Users } from '../records/port.ts'
import type { HomePolicy } from './provision-user.ts'
import type { CurrentPasswordDependencies, NewPasswordDependencies } from './user-passwords.ts'

/** What the calls about users need from the rest of the server. */
export type UserDependencies = CurrentPasswordDependencies &
  NewPasswordDependencies & {
    readonly users: Users
    readonly settings: () => Promise<Settings>
    readonly isExecOn: boolean
    /** Stores a new user, and creates the folder of the user's scope as the policy says. */
    readonly provision: (fields: UserFields, policy: HomePolicy) => Promise<User>
    /** Ends the sessions of a user, all of them or all except one. */
    readonly endSessions: (userId: number, exceptSessionId?: string) => Promise<void>
    /** Removes a user, ends the user's sessions and stops what runs in them. A refusal ends no session. */
    readonly removeUser: (userId: number) => Promise<void>
  }
