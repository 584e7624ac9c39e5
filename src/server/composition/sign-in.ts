import { createCaptcha } from '../auth/captcha.ts'
import { loginByHook } from '../auth/methods/login-by-hook.ts'
import { loginByPassword } from '../auth/methods/login-by-password.ts'
import type { LoginMethod } from '../auth/methods/login-method.ts'
import { loginWithoutPassword } from '../auth/methods/login-without-password.ts'
import { loginByProxy } from '../auth/methods/login-by-proxy.ts'
import { createLoginProgramRunner } from '../auth/methods/run-login-program.ts'
import type { PasswordHasher } from '../auth/passwords.ts'
import type { SharedCounts } from '../auth/shared-counts.ts'
import { createSuccessLimit } from '../auth/success-limit.ts'
import { createThrottle } from '../auth/throttle.ts'
import type { Config } from '../config/serving-options.ts'
import type { AuthMethod } from '../../shared/contract/setting-fields.ts'
import type { ProcessStarter } from '../programs/process-starter.ts'
import type { ServerRecords } from '../records/port.ts'
import type { SignupDependencies } from '../sessions/signup.ts'
import { addSignedUpUser, addExternalUser, type NewAccountDependencies } from '../users/new-accounts.ts'
import { hashNewPassword, type NewPasswordDependencies } from '../users/user-passwords.ts'

/** The dependencies of login and signup. */
export type LoginModuleDependencies = NewAccountDependencies &
  NewPasswordDependencies & {
    readonly startProcess: ProcessStarter
    readonly records: ServerRecords
    readonly counts: SharedCounts
    readonly passwords: PasswordHasher
    readonly config: Pick<Config, 'disableExec' | 'trustedOrigins'>
    readonly nowMs: () => number
    readonly randomBytes: (count: number) => Uint8Array
    readonly environment: Readonly<Record<string, string | undefined>>
  }

/**
 * The length in bytes of the random password that is stored for users who log in by another method. Nobody knows this
 * password, so nobody can log in with it.
 */
const unguessableBytes = 22
const hourMs = 60 * 60 * 1000
const signupsPerHour = 30

/**
 * Creates the login function. It reads the configured login method from the settings at each call, so that a change
 * takes effect without a restart.
 */
export function createLoginMethod(dependencies: LoginModuleDependencies): LoginMethod {
  const { startProcess: start, records, passwords, config, nowMs, environment } = dependencies
  const { users, settings } = records
  const throttle = createThrottle({ counts: dependencies.counts, nowMs })
  const unguessablePasswordHash = async () =>
    passwords.hash(Buffer.from(dependencies.randomBytes(unguessableBytes)).toString('base64'))
  const methods: Readonly<Record<AuthMethod, LoginMethod>> = {
    json: loginByPassword({ users, passwords, throttle, captcha: createCaptcha({ settings }) }),
    noauth: loginWithoutPassword({ users, trustedOrigins: config.trustedOrigins }),
    proxy: loginByProxy({
      users,
      settings,
      trustedOrigins: config.trustedOrigins,
      createUser: async (username) =>
        addExternalUser(
          dependencies,
          { username, passwordHash: await unguessablePasswordHash() },
          () => ({}),
        ),
    }),
    hook: loginByHook({
      users,
      settings,
      passwords,
      throttle,
      isExecOn: !config.disableExec,
      run: createLoginProgramRunner({ start, environment }),
      async createUser({ username, password }, change) {
        const passwordHash = await (password === '' ? unguessablePasswordHash() : passwords.hash(password))
        return addExternalUser(dependencies, { username, passwordHash }, change)
      },
    }),
  }
  return async (attempt) => methods[(await settings.get()).authMethod](attempt)
}

/**
 * Creates the dependencies of signup, including the limit on the accounts that one client address can create per hour.
 */
export const signupDependencies = (dependencies: LoginModuleDependencies): SignupDependencies => ({
  isSignupOn: async () => (await dependencies.settings()).signup,
  limit: createSuccessLimit({
    maxSuccesses: signupsPerHour,
    windowMs: hourMs,
    nowMs: dependencies.nowMs,
    counts: dependencies.counts,
    keyPrefix: 'signup-address:',
  }),
  isChallengeMet: createCaptcha({ settings: dependencies.records.settings }),
  addUser: async (username, password) =>
    addSignedUpUser(dependencies, { username, passwordHash: await hashNewPassword(dependencies, password) }),
})
