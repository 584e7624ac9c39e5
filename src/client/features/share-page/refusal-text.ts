import { CallError, statusOf } from '../../api/call.ts'
import { t } from '../../i18n/translate.ts'

/** Returns the reason why a request of a guest was refused, where the guest can do something about it. */
export function refusalText(thrown: unknown): string {
  const seconds = thrown instanceof CallError ? thrown.retryAfterSeconds : null
  switch (statusOf(thrown)) {
    case 0:
      return t('errors.connection')
    case 401:
      return t('guest.wrongPassword')
    case 403:
      return thrown instanceof CallError && thrown.refused === 'downloads'
        ? t('guest.noDownloads')
        : t('errors.forbidden')
    case 404:
      return t('guest.gone')
    case 429:
      return seconds === null ? t('guest.busy') : t('login.wait', { seconds })
    default:
      return t('errors.internal')
  }
}
