import { AppError } from '../../shared/domain/failure.ts'
import type { SettingsStore } from '../records/port.ts'

/** Whether an answer to the challenge is good; every answer is while none is configured (contract 2.7). */
export type Captcha = (answer: string) => Promise<boolean>

type CaptchaNeeds = {
  readonly settings: Pick<SettingsStore, 'signIn'>
  readonly timeoutMs?: number
}

/** What the challenge's service may take (security 3.8). */
export const challengeLimits = { timeMs: 10_000, answerBytes: 64 * 1024 } as const

/**
 * Asks the challenge's service. Only an object that says `success: true` is a yes; a redirect is none, and leads nowhere. `internal`
 * when the service cannot be reached, or takes longer than 10 s.
 */
export function createCaptcha({ settings, timeoutMs = challengeLimits.timeMs }: CaptchaNeeds): Captcha {
  return async (answer) => {
    const { recaptcha } = await settings.signIn()
    if (recaptcha === null || recaptcha.secret === '') return true
    if (answer === '') return false
    try {
      const reply = await fetch(`${recaptcha.host}/recaptcha/api/siteverify`, {
        method: 'POST',
        body: new URLSearchParams({ secret: recaptcha.secret, response: answer }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await textOf(reply)
      return reply.status === 200 && isYes(text)
    } catch (cause) {
      throw new AppError('internal', { cause, reason: 'the service of the challenge does not answer' })
    }
  }
}

async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.length > challengeLimits.answerBytes) return ''
  }
  return text
}

function isYes(text: string): boolean {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && 'success' in value && value.success === true
  } catch {
    return false
  }
}
