import { AppError } from '../../shared/domain/failure.ts'

export type SignupDependencies = {
  readonly isSignupOn: () => Promise<boolean>
  /** Runs the work unless too many signups from the same address have succeeded. */
  readonly limit: <T>(address: string, work: () => Promise<T>) => Promise<T>
  readonly isChallengeMet: (response: string) => Promise<boolean>
  /**
   * Creates the user. Throws `bad-request` with a reason for a name or password that is not allowed, and `name-taken`
   * for a name that exists.
   */
  readonly addUser: (username: string, password: string) => Promise<unknown>
}

/** The form with which a visitor creates an account. */
export type SignupForm = {
  readonly username: string
  readonly password: string
  readonly challenge: string
}

/** Creates an account for a visitor, who is not logged in by it (contract 2.6). The form is null when it is incomplete. */
export async function signUp(
  { isSignupOn, limit, isChallengeMet, addUser }: SignupDependencies,
  address: string,
  form: SignupForm | null,
): Promise<void> {
  if (!(await isSignupOn())) throw new AppError('method-not-allowed')
  if (form === null) throw new AppError('bad-request', { reason: 'a name and a password are required' })
  await limit(address, async () => {
    if (!(await isChallengeMet(form.challenge))) throw new AppError('login-failed')
    await addUser(form.username, form.password)
  })
}
