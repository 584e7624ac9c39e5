import { AppError } from '../../shared/domain/failure.ts'
import { readTextUpTo } from '../../shared/domain/utf8.ts'
import type { SettingsStore } from '../records/settings.ts'

/**
 * Checks a client's response to the challenge. Returns true for a correct response, and for every response when no
 * challenge is configured (contract 2.7).
 */
export type CaptchaVerifier = (response: string) => Promise<boolean>

type CaptchaDependencies = {
  readonly settings: Pick<SettingsStore, 'signIn'>
  readonly timeoutMs?: number
}

/** Limits of a request to the challenge service (security 3.8): the service may take 10 s and send 64 Ki characters. */
export const challengeLimits = { timeMs: 10_000, responseBytes: 64 * 1024 } as const

/**
 * Creates the function that checks responses to the challenge with the challenge service. Only a JSON object with
 * `success: true` confirms a response. Redirects are not followed. Throws `internal` when the service cannot be reached
 * or takes longer than 10 s.
 */
export function createCaptcha({
  settings,
  timeoutMs = challengeLimits.timeMs,
}: CaptchaDependencies): CaptchaVerifier {
  return async (response) => {
    const { recaptcha } = await settings.signIn()
    if (recaptcha === null || recaptcha.secret === '') return true
    if (response === '') return false
    try {
      const reply = await fetch(`${recaptcha.host}/recaptcha/api/siteverify`, {
        method: 'POST',
        body: new URLSearchParams({ secret: recaptcha.secret, response }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await readTextUpTo(challengeLimits.responseBytes, reply.body)
      return reply.status === 200 && text !== null && isSuccess(text)
    } catch (cause) {
      throw new AppError('internal', { cause, reason: 'the challenge service does not respond' })
    }
  }
}

function isSuccess(text: string): boolean {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && 'success' in value && value.success === true
  } catch {
    return false
  }
}
