import { createCaptcha } from '../auth/captcha.ts'
import { loginByHook } from '../auth/methods/login-by-hook.ts'
import { loginByPassword } from '../auth/methods/login-by-password.ts'
import type { LoginMethod } from '../auth/methods/login-method.ts'
import { loginWithoutPassword } from '../auth/methods/login-without-password.ts'
import { loginByProxy } from '../auth/methods/login-by-proxy.ts'
import { createLoginProgramRunner } from '../auth/methods/run-login-program.ts'
import type { PasswordHasher } from '../auth/passwords.ts'
import { createSuccessLimit } from '../auth/success-limit.ts'
import { createThrottle } from '../auth/throttle.ts'
import type { AuthMethod } from '../../shared/contract/setting-fields.ts'
import type { Records } from '../records/port.ts'
import type { SignupDependencies } from '../sessions/signup.ts'
import { addSignedUpUser, addExternalUser, type NewAccountDependencies } from '../users/new-accounts.ts'
import { hashNewPassword, type NewPasswordDependencies } from '../users/user-passwords.ts'

/** The dependencies of login and signup. */
export type LoginModuleDependencies = NewAccountDependencies &
  NewPasswordDependencies & {
    readonly records: Records
    readonly passwords: PasswordHasher
    readonly isExecOn: boolean
    readonly nowMs: () => number
    readonly randomBytes: (count: number) => Uint8Array
    readonly environment: Readonly<Record<string, string | undefined>>
  }

/**
 * Length in bytes of the random password that is stored for users who log in by another method. Nobody knows this
 * password, so nobody can log in with it.
 */
const unknowableBytes = 22
const hourMs = 60 * 60 * 1000
const signupsPerHour = 30

/**
 * Returns the login function. It reads the login method from the settings at each call, so that a change takes effect
 * without a restart.
 */
export async function createAuthenticate(parts: LoginModuleDependencies): Promise<LoginMethod> {
  const { records, passwords, isExecOn, nowMs, environment } = parts
  const { users, settings, throttles } = records
  const throttle = await createThrottle({ throttles, nowMs })
  const unknowable = async () =>
    passwords.hash(Buffer.from(parts.randomBytes(unknowableBytes)).toString('base64'))
  const methods: Readonly<Record<AuthMethod, LoginMethod>> = {
    json: loginByPassword({ users, passwords, throttle, captcha: createCaptcha({ settings }) }),
    noauth: loginWithoutPassword(users),
    proxy: loginByProxy({
      users,
      settings,
      createUser: async (username) =>
        addExternalUser(parts, { username, passwordHash: await unknowable() }, () => ({})),
    }),
    hook: loginByHook({
      users,
      settings,
      passwords,
      throttle,
      isExecOn,
      run: createLoginProgramRunner({ environment }),
      async createUser({ username, password }, change) {
        const passwordHash = await (password === '' ? unknowable() : passwords.hash(password))
        return addExternalUser(parts, { username, passwordHash }, change)
      },
    }),
  }
  return async (attempt) => methods[(await settings.get()).authMethod](attempt)
}

/** Returns the dependencies of signup, which limit how many accounts one address can create per hour. */
export const signupNeeds = async (parts: LoginModuleDependencies): Promise<SignupDependencies> => ({
  isSignupOn: async () => (await parts.settings()).signup,
  limit: await createSuccessLimit({
    maxSuccesses: signupsPerHour,
    windowMs: hourMs,
    nowMs: parts.nowMs,
    throttles: parts.records.throttles,
    keyPrefix: 'signup-address:',
  }),
  isChallengeMet: createCaptcha({ settings: parts.records.settings }),
  signUp: async (username, password) =>
    addSignedUpUser(parts, { username, passwordHash: await hashNewPassword(parts, password) }),
})
