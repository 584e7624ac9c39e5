import { signup } from '../../shared/contract/sessions.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { done, route, type Route } from '../http/route.ts'

export type SignupDependencies = {
  readonly isSignupOn: () => Promise<boolean>
  /** Runs the work unless too many signups from the same address have succeeded. */
  readonly limit: <T>(address: string, work: () => Promise<T>) => Promise<T>
  readonly isChallengeMet: (response: string) => Promise<boolean>
  /**
   * Creates the user. Throws `bad-request` with a reason for a name or password that is not allowed, and `name-taken`
   * for a name that exists.
   */
  readonly signUp: (username: string, password: string) => Promise<unknown>
}

/** The route with which visitors create an account. It does not log them in (contract 2.6). */
export const signupRoute = (dependencies: SignupDependencies): Route =>
  route(signup, async ({ body, client }) => {
    if (!(await dependencies.isSignupOn())) throw new AppError('method-not-allowed')
    const { username, password, challenge } = signupFieldsOf(body)
    await dependencies.limit(client.address, async () => {
      if (!(await dependencies.isChallengeMet(challenge))) throw new AppError('login-failed')
      await dependencies.signUp(username, password)
    })
    return done
  })

function signupFieldsOf(body: unknown) {
  const members: Readonly<Record<string, unknown>> = { ...(typeof body === 'object' ? body : {}) }
  const [username, password] = [members['username'], members['password']]
  const challenge = members['recaptcha'] ?? ''
  const isComplete = [username, password].every((field) => typeof field === 'string' && field !== '')
  if (!isComplete || typeof challenge !== 'string')
    throw new AppError('bad-request', { reason: 'a name and a password are required' })
  return { username: String(username), password: String(password), challenge }
}
