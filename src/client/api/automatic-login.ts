import { createPersonalStore } from '../state/personal.ts'
import { statusOf } from './call.ts'
import { loginWithoutPassword } from './session.ts'

/** The state of the automatic login, which needs no password. `failure` is the reason why the last attempt failed. */
export type AutomaticLoginState = {
  readonly isTrying: boolean
  readonly failure: 'refused' | 'offline' | null
}

export const automaticLogin = createPersonalStore<AutomaticLoginState>({ isTrying: false, failure: null })

/**
 * The minimum time between two automatic logins. Without this limit, a server that ends each session immediately would
 * receive an endless series of login requests. A working server responds in less than ten seconds.
 */
const minAttemptIntervalMs = 10_000
let lastAttemptMs = Number.NEGATIVE_INFINITY

/**
 * Continues an ended session without asking the user, unless the last attempt was less than `minAttemptIntervalMs` ago.
 */
export function continueAutomatically(): void {
  if (performance.now() - lastAttemptMs < minAttemptIntervalMs)
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
