import { noteRefusal } from '../../api/address-refusal.ts'
import { call } from '../../api/call.ts'
import type { Credentials } from '../../api/session.ts'

/**
 * Creates an account. The user is not logged in afterwards.
 * @throws CallError with status 409 for a name that is taken, 400 for a name or password that is not allowed, and the
 * statuses of `login`.
 */
export async function signUp({ username, password, recaptcha = '' }: Credentials): Promise<void> {
  await noteRefusal(call('sessions.signup', { body: { username, password, recaptcha }, isProbe: true }))
}
