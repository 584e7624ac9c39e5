import type { Settings, User, UserFields, Users } from '../records/port.ts'
import type { CurrentPasswordNeeds } from './current-password.ts'
import type { NewHashNeeds } from './new-hash.ts'
import type { HomeWish } from './provision.ts'

/** What the calls about users need of the rest of the server. */
export type UserNeeds = CurrentPasswordNeeds &
  NewHashNeeds & {
    readonly users: Users
    readonly settings: () => Promise<Settings>
    readonly isExecOn: boolean
    /** Stores a new user, with the folder of their scope as it is wished. */
    readonly provision: (fields: UserFields, wish: HomeWish) => Promise<User>
    /** Ends the sessions of a user, all but for one if named. */
    readonly endSessions: (userId: number, but?: string) => Promise<void>
    /** Removes a user with their sessions and what runs under them; a refusal ends none. */
    readonly remove: (userId: number) => Promise<void>
  }
