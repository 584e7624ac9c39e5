import { faultOfPassword } from '../auth/password-policy.ts'
import type { Passwords } from '../auth/passwords.ts'
import * as sessions from '../auth/sessions.ts'
import type { Config } from '../config/serving-options.ts'
import type { Route } from '../http/route.ts'
import type { Records, UserFields } from '../records/port.ts'
import type { Volume } from '../storage/port.ts'
import { sessionRoutes } from '../sessions/routes.ts'
import { settingsRoutes } from '../settings/routes.ts'
import { checkCurrentPassword } from '../users/current-password.ts'
import { readDefaults } from '../users/read-defaults.ts'
import { rulesOf } from '../users/field-readers.ts'
import { provision, type HomeWish } from '../users/provision.ts'
import { userRoutes } from '../users/routes.ts'

import { createAuthenticate, signupNeeds } from './sign-in.ts'

/** What the calls about people are made of. */
export type PeopleParts = {
  readonly config: Config
  readonly records: Records
  readonly passwords: Passwords
  readonly login: sessions.SessionNeeds
  readonly world: {
    readonly environment?: Readonly<Record<string, string | undefined>>
  }
  readonly volume: Volume
  /** Shows changed settings on the page. */
  readonly refreshPage: () => Promise<void>
}

/** Everything about people: their sessions and records, and what administrators decide for them. */
export async function peopleRoutes(parts: PeopleParts): Promise<readonly Route[]> {
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
  const isExecOn = !config.disableExec
  const { nowMs, randomBytes } = login
  const environment = parts.world.environment ?? {}
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
      endOthers: (userId, but) => sessions.endSessionsOf(login, userId, but),
      issueTicket: ({ id, userId }, place) => login.tickets.issue({ userId, sessionId: id }, place),
    }),
    ...settingsRoutes({
      settings,
      readRules: rulesOf,
      readDefaults: (sent, before) => readDefaults(sent, before, isExecOn),
      checkCurrentPassword: (user, password) => checkCurrentPassword(people, user, password),
      onChange: parts.refreshPage,
    }),
    ...userRoutes({
      ...people,
      users,
      isExecOn,
      endSessions: (userId, but) => sessions.endSessionsOf(login, userId, but),
      remove: (userId) => sessions.removeWithSessions(login, userId),
    }),
  ]
}
