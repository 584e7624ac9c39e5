import { clientLimits } from '../../shared/domain/limits/client-limits.ts'
import { CallError } from '../api/call.ts'
import { t } from '../i18n/translate.ts'

/** Returns the sentence for a refused password, or null for any other failure. */
export function refusedPasswordText(thrown: unknown): string | null {
  if (!(thrown instanceof CallError)) return null
  if (thrown.refused === 'short-password')
    return t('login.tooShort', { count: thrown.minimumLength ?? clientLimits.minimumPasswordLength })
  if (thrown.refused === 'easy-password') return t('login.tooEasy')
  return thrown.refused === 'password' ? t('settings.password.notAllowed') : null
}
