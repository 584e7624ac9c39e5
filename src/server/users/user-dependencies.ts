import type { Settings } from '../../shared/contract/setting-fields.ts'
import type { User, UserFields, UserStore } from '../records/user-store.ts'
import type { Volume } from '../storage/port.ts'
import type { HomePolicy } from './provision-user.ts'
import type { CurrentPasswordDependencies, NewPasswordDependencies } from './user-passwords.ts'

/** The functions and values that the user operations need from other modules of the server. */
export type UserDependencies = CurrentPasswordDependencies &
  NewPasswordDependencies & {
    readonly users: UserStore
    readonly settings: () => Promise<Settings>
    readonly isExecOn: boolean
    /** Returns the reason why no user may run commands on this server, or null when commands are enabled. */
    readonly commandsDisabledReason: () => Promise<string | null>
    readonly volume: Pick<Volume, 'narrow' | 'foldsCase'>
    /** Stores a new user, and creates the folder of the user's scope according to the policy. */
    readonly provision: (fields: UserFields, policy: HomePolicy) => Promise<User>
    /** Ends all sessions of a user except `exceptSessionId`. */
    readonly endSessions: (userId: number, exceptSessionId?: string) => Promise<void>
    /** Changes a user. A user who is disabled by the change loses all sessions, and the operations that run in them stop. */
    readonly updateUser: (userId: number, fields: Partial<UserFields>) => Promise<void>
    /**
     * Removes a user, ends the user's sessions and stops the operations that run in them. When the user cannot be
     * removed, no session is ended.
     */
    readonly removeUser: (userId: number) => Promise<void>
  }
