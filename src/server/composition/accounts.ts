import { faultOfPassword } from '../auth/password-policy.ts'
import type { PasswordHasher } from '../auth/passwords.ts'
import type { SharedCounts } from '../auth/shared-counts.ts'
import * as sessions from '../auth/sessions.ts'
import type { Config } from '../config/serving-options.ts'
import { optionsForAdministrators } from '../config/shown-options.ts'
import type { ClientConnection, Route } from '../http/route.ts'
import type { ProcessStarter } from '../programs/process-starter.ts'
import type { ServerRecords } from '../records/port.ts'
import type { Account, User, UserFields, UserStore } from '../records/user-store.ts'
import type { Volume } from '../storage/port.ts'
import { sessionRoutes } from '../sessions/routes.ts'
import { settingsRoutes } from '../settings/routes.ts'
import { checkCurrentPassword, type CurrentPasswordDependencies } from '../users/user-passwords.ts'
import { readDefaults } from '../users/read-defaults.ts'
import { readRules } from '../users/field-readers.ts'
import type { UserDependencies } from '../users/user-dependencies.ts'
import { provisionUser, type HomePolicy } from '../users/provision-user.ts'
import { userRoutes } from '../users/routes.ts'
import type { AuditModule } from './audit.ts'
import type { HookModule } from './hooks.ts'
import { createLoginMethod, signupDependencies } from './sign-in.ts'
import type { ServerRuntime } from './server-runtime.ts'

/** The dependencies of the routes about sessions, users and settings. */
export type AccountModuleDependencies = {
  readonly config: Config
  readonly records: ServerRecords
  readonly counts: SharedCounts
  readonly passwords: PasswordHasher
  readonly startProcess: ProcessStarter
  readonly login: sessions.SessionDependencies
  readonly runtime: Pick<ServerRuntime, 'environment' | 'configSources'>
  readonly volume: Volume
  readonly audit: Pick<AuditModule, 'onLogin'>
  readonly hooks: Pick<HookModule, 'routes'>
  readonly commandsDisabledReason: UserDependencies['commandsDisabledReason']
  /** Renders the HTML page of the client again after a change of the settings. */
  readonly refreshPage: () => Promise<void>
}

/** Returns the routes about sessions, users and settings. */
export async function composeAccountRoutes(
  dependencies: AccountModuleDependencies,
): Promise<readonly Route[]> {
  const { config, records, passwords, login, volume } = dependencies
  const { users, settings } = records
  const accountDependencies = {
    settings: () => settings.get(),
    hashPassword: (password: string) => passwords.hash(password),
    verifyPasswordOf: verifierOf(users, passwords),
    faultOfPassword: async (password: string) =>
      faultOfPassword(password, (await settings.get()).minimumPasswordLength),
    provision: (fields: UserFields, homePolicy: HomePolicy) =>
      provisionUser({ users, volume }, fields, homePolicy),
  }
  const verifyCurrentPassword = (user: Account, password: string | null | undefined): Promise<void> =>
    checkCurrentPassword(accountDependencies, user, password)
  const isExecOn = !config.disableExec
  const loginDependencies = {
    ...dependencies,
    ...accountDependencies,
    nowMs: login.nowMs,
    randomBytes: login.randomBytes,
    environment: dependencies.runtime.environment ?? {},
  }
  return [
    ...sessionRoutes({
      basePath: config.baseURL,
      authenticate: createLoginMethod(loginDependencies),
      signup: signupDependencies(loginDependencies),
      open: (user, client) => openRecorded(dependencies, user, client),
      renew: (user, session) => sessions.renewToken(login, user, session),
      end: ({ id }) => sessions.endSession(login, id),
      listOf: (userId) => login.sessions.listOf(userId),
      endOthers: (userId, exceptId) => sessions.endUserSessions(login, userId, exceptId),
      findUser: (id) => users.find(id),
      checkCurrentPassword: verifyCurrentPassword,
      issueTicket: ({ id, userId }, target) => login.tickets.issue({ userId, sessionId: id }, target),
    }),
    ...settingsRoutes({
      settings,
      readRules,
      readDefaults: (fields, before) => readDefaults(fields, before, isExecOn),
      checkCurrentPassword: verifyCurrentPassword,
      options: optionsForAdministrators(config, dependencies.runtime.configSources ?? {}),
      onChange: dependencies.refreshPage,
    }),
    ...dependencies.hooks.routes({ checkCurrentPassword: verifyCurrentPassword }),
    ...userRoutes({
      ...accountDependencies,
      users,
      volume,
      isExecOn,
      commandsDisabledReason: dependencies.commandsDisabledReason,
      endSessions: (userId, exceptId) => sessions.endUserSessions(login, userId, exceptId),
      updateUser: (userId, fields) => sessions.updateWithSessions(login, userId, fields),
      removeUser: (userId) => sessions.removeWithSessions(login, userId),
    }),
  ]
}

/** Opens a session, and records the login in the audit log. */
async function openRecorded(
  { login, audit }: Pick<AccountModuleDependencies, 'login' | 'audit'>,
  user: User,
  client: ClientConnection,
): Promise<sessions.OpenedSession> {
  const opened = await sessions.openSession(login, user, client)
  audit.onLogin(user, opened.session)
  return opened
}

/** Returns the check of the password of a user, so that no operation sees the hash of a password. */
const verifierOf =
  (
    users: Pick<UserStore, 'find'>,
    passwords: Pick<PasswordHasher, 'verify'>,
  ): CurrentPasswordDependencies['verifyPasswordOf'] =>
  async (userId, password) => {
    const user = await users.find(userId)
    return user !== null && passwords.verify(password, user.passwordHash)
  }
