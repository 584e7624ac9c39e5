import { statusOf } from '../../api/call.ts'
import { t } from '../../i18n/translate.ts'

/** Returns the sentence for a setting that could not be saved (specification 8). */
export function saveFailureText(thrown: unknown): string {
  const status = statusOf(thrown)
  if (status === 0) return t('settings.failed.connection')
  if (status === 400) return t('settings.failed.invalid')
  if (status === 403) return t('errors.forbidden')
  return t('errors.generic')
}
