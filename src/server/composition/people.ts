import { faultOfPassword } from '../auth/password-policy.ts'
import type { PasswordHasher } from '../auth/passwords.ts'
import * as sessions from '../auth/sessions.ts'
import type { Config } from '../config/serving-options.ts'
import type { Route } from '../http/route.ts'
import type { Records, UserFields } from '../records/port.ts'
import type { Volume } from '../storage/port.ts'
import { sessionRoutes } from '../sessions/routes.ts'
import { settingsRoutes } from '../settings/routes.ts'
import { checkCurrentPassword } from '../users/user-passwords.ts'
import { readDefaults } from '../users/read-defaults.ts'
import { readRules } from '../users/field-readers.ts'
import { provisionUser, type HomePolicy } from '../users/provision-user.ts'
import { userRoutes } from '../users/routes.ts'

import { createAuthenticate, signupNeeds } from './sign-in.ts'

/** The dependencies of the routes about sessions, users and settings. */
export type AccountModuleDependencies = {
  readonly config: Config
  readonly records: Records
  readonly passwords: PasswordHasher
  readonly login: sessions.SessionDependencies
  readonly runtime: {
    readonly environment?: Readonly<Record<string, string | undefined>>
  }
  readonly volume: Volume
  /** Renders the client's HTML page again, so that it contains changed settings. */
  readonly refreshPage: () => Promise<void>
}

/** Returns the routes about sessions, users and settings. */
export async function composePeopleRoutes(parts: AccountModuleDependencies): Promise<readonly Route[]> {
  const { config, records, passwords, login, volume } = parts
  const { users, settings } = records
  const people = {
    settings: () => settings.get(),
    hashPassword: (password: string) => passwords.hash(password),
    verifyPassword: (password: string, hash: string) => passwords.verify(password, hash),
    faultOfPassword: async (password: string) =>
      faultOfPassword(password, (await settings.get()).minimumPasswordLength),
    provision: (fields: UserFields, wish: HomePolicy) => provisionUser({ users, volume }, fields, wish),
  }
  const isExecOn = !config.disableExec
  const { nowMs, randomBytes } = login
  const environment = parts.runtime.environment ?? {}
  const signIn = { ...people, records, passwords, isExecOn, nowMs, randomBytes, environment }
  return [
    ...sessionRoutes({
      basePath: config.baseURL,
      authenticate: await createAuthenticate(signIn),
      signup: await signupNeeds(signIn),
      open: (user, client) => sessions.openSession(login, user, client),
      renew: (user, session) => sessions.renewToken(login, user, session),
      end: ({ id }) => sessions.endSession(login, id),
      listOf: (userId) => login.sessions.listOf(userId),
      endOthers: (userId, but) => sessions.endUserSessions(login, userId, but),
      issueTicket: ({ id, userId }, place) => login.tickets.issue({ userId, sessionId: id }, place),
    }),
    ...settingsRoutes({
      settings,
      readRules: readRules,
      readDefaults: (sent, before) => readDefaults(sent, before, isExecOn),
      checkCurrentPassword: (user, password) => checkCurrentPassword(people, user, password),
      onChange: parts.refreshPage,
    }),
    ...userRoutes({
      ...people,
      users,
      isExecOn,
      endSessions: (userId, but) => sessions.endUserSessions(login, userId, but),
      removeUser: (userId) => sessions.removeWithSessions(login, userId),
    }),
  ]
}
