import { faultOfPassword } from '../auth/password-policy.ts'
import type { Passwords } from '../auth/passwords.ts'
import * as sessions from '../auth/sessions.ts'
import type { Config } from '../config/serving-options.ts'
import type { Route } from '../http/route.ts'
import type { Records, UserFields } from '../records/port.ts'
import type { Volume } from '../storage/port.ts'
import { provision, type HomeWish } from '../users/provision.ts'
import { userRoutes } from '../users/routes.ts'

/** What the calls about people are made of. */
export type PeopleParts = {
  readonly config: Config
  readonly records: Records
  readonly passwords: Passwords
  readonly login: sessions.SessionNeeds
  readonly volume: Volume
}

/** Everything about people: their records. */
export function peopleRoutes(parts: PeopleParts): readonly Route[] {
  const { config, records, passwords, login, volume } = parts
  const { users, settings } = records
  const people = {
    settings: () => settings.get(),
    hashPassword: (password: string) => passwords.hash(password),
    verifyPassword: (password: string, hash: string) => passwords.verify(password, hash),
    faultOfPassword: async (password: string) =>
      faultOfPassword(password, (await settings.get()).minimumPasswordLength),
    provision: (fields: UserFields, wish: HomeWish) => provision({ users, volume }, fields, wish),
  }
  return [
    ...userRoutes({
      ...people,
      users,
      isExecOn: !config.disableExec,
      endSessions: (userId, but) => sessions.endSessionsOf(login, userId, but),
      remove: (userId) => sessions.removeWithSessions(login, userId),
    }),
  ]
}
