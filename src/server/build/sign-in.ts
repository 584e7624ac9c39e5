import { createCaptcha } from '../auth/captcha.ts'
import { loginByHook } from '../auth/methods/hook.ts'
import { loginByPassword } from '../auth/methods/json.ts'
import type { Method } from '../auth/methods/method.ts'
import { loginWithoutPassword } from '../auth/methods/none.ts'
import { loginByProxy } from '../auth/methods/proxy.ts'
import { createRunLogin } from '../auth/methods/run-login.ts'
import type { Passwords } from '../auth/passwords.ts'
import { createSuccessLimit } from '../auth/success-limit.ts'
import { createThrottle } from '../auth/throttle.ts'
import type { AuthMethod, Records } from '../records/port.ts'
import type { SignupNeeds } from '../sessions/signup.ts'
import { addSignedUp, addVouchedFor, type NewcomerNeeds } from '../users/newcomer.ts'
import { newHash, type NewHashNeeds } from '../users/new-hash.ts'

/** What logging in and signing up are made of. */
export type SignInParts = NewcomerNeeds &
  NewHashNeeds & {
    readonly records: Records
    readonly passwords: Passwords
    readonly isExecOn: boolean
    readonly nowMs: () => number
    readonly randomBytes: (count: number) => Uint8Array
    readonly environment: Readonly<Record<string, string | undefined>>
  }

const unknowableBytes = 22
const hourMs = 60 * 60 * 1000
const signupsPerHour = 30

/** The way to log in that is set now: it changes without a restart. */
export async function createAuthenticate(parts: SignInParts): Promise<Method> {
  const { records, passwords, isExecOn, nowMs, environment } = parts
  const { users, settings, throttles } = records
  const throttle = await createThrottle({ throttles, nowMs })
  const unknowable = async () =>
    passwords.hash(Buffer.from(parts.randomBytes(unknowableBytes)).toString('base64'))
  const methods: Readonly<Record<AuthMethod, Method>> = {
    json: loginByPassword({ users, passwords, throttle, captcha: createCaptcha({ settings }) }),
    noauth: loginWithoutPassword(users),
    proxy: loginByProxy({
      users,
      settings,
      welcome: async (username) =>
        addVouchedFor(parts, { username, passwordHash: await unknowable() }, () => ({})),
    }),
    hook: loginByHook({
      users,
      settings,
      passwords,
      throttle,
      isExecOn,
      run: createRunLogin({ environment }),
      async welcome({ username, password }, change) {
        const passwordHash = await (password === '' ? unknowable() : passwords.hash(password))
        return addVouchedFor(parts, { username, passwordHash }, change)
      },
    }),
  }
  return async (attempt) => methods[(await settings.get()).authMethod](attempt)
}

/** What signing up needs. */
export const signupNeeds = async (parts: SignInParts): Promise<SignupNeeds> => ({
  isSignupOn: async () => (await parts.settings()).signup,
  limit: await createSuccessLimit({
    most: signupsPerHour,
    windowMs: hourMs,
    nowMs: parts.nowMs,
    throttles: parts.records.throttles,
    mark: 'signup-address:',
  }),
  isChallengeMet: createCaptcha({ settings: parts.records.settings }),
  signUp: async (username, password) =>
    addSignedUp(parts, { username, passwordHash: await newHash(parts, password) }),
})
