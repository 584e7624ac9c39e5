import { createPersonalStore } from '../state/personal.ts'
import { statusOf } from './call.ts'
import { loginWithoutPassword } from './session.ts'

/** The state of the login without a password. `failure` is the reason why the last attempt failed. */
export type AutomaticLoginState = {
  readonly isTrying: boolean
  readonly failure: 'refused' | 'offline' | null
}

export const automaticLogin = createPersonalStore<AutomaticLoginState>({ isTrying: false, failure: null })

/**
 * A session that ends again within this time is not continued automatically, because the login requests would never
 * stop.
 */
const shortestSessionMs = 10_000
let lastAttemptMs = Number.NEGATIVE_INFINITY

/**
 * Continues an ended session without asking the user, unless the last attempt was less than `shortestSessionMs` ago.
 */
export function continueAutomatically(): void {
  if (performance.now() - lastAttemptMs < shortestSessionMs)
    automaticLogin.set({ isTrying: false, failure: 'refused' })
  else void logInAutomatically()
}

/** Logs in without a password. A success changes the session store. */
export async function logInAutomatically(): Promise<void> {
  lastAttemptMs = performance.now()
  automaticLogin.set(({ failure }) => ({ isTrying: true, failure }))
  try {
    const isDone = await loginWithoutPassword()
    automaticLogin.set({ isTrying: false, failure: isDone ? null : 'refused' })
  } catch (thrown) {
    automaticLogin.set({ isTrying: false, failure: statusOf(thrown) === 0 ? 'offline' : 'refused' })
  }
}
