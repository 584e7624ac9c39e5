import { signup } from '../../shared/contract/sessions.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { done, route, type Route } from '../http/route.ts'

export type SignupNeeds = {
  readonly isSignupOn: () => Promise<boolean>
  /** Lets work happen unless too much of it succeeded from the same address. */
  readonly limit: <T>(address: string, work: () => Promise<T>) => Promise<T>
  readonly isChallengeMet: (answer: string) => Promise<boolean>
  /** `bad-request` with the reason for a password or name that may not be, `name-taken` for one that is. */
  readonly signUp: (username: string, password: string) => Promise<unknown>
}

/** Strangers make themselves an account, and log in afterwards (contract 2.6). */
export const signupRoute = (needs: SignupNeeds): Route =>
  route(signup, async ({ body, client }) => {
    if (!(await needs.isSignupOn())) throw new AppError('method-not-allowed')
    const { username, password, challenge } = wishOf(body)
    await needs.limit(client.address, async () => {
      if (!(await needs.isChallengeMet(challenge))) throw new AppError('login-failed')
      await needs.signUp(username, password)
    })
    return done
  })

function wishOf(body: unknown) {
  const members: Readonly<Record<string, unknown>> = { ...(typeof body === 'object' ? body : {}) }
  const [username, password] = [members['username'], members['password']]
  const challenge = members['recaptcha'] ?? ''
  const isWhole = [username, password].every((it) => typeof it === 'string' && it !== '')
  if (!isWhole || typeof challenge !== 'string')
    throw new AppError('bad-request', { reason: 'a name and a password are needed' })
  return { username: String(username), password: String(password), challenge }
}
