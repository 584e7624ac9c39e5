import { config } from '../../api/config.ts'
import { t } from '../../i18n/translate.ts'

/** Returns the sentence about the minimum length of passwords. Empty without a minimum. */
export function passwordLengthText(): string {
  const count = config().MinimumPasswordLength
  return count > 0 ? t('login.tooShort', { count }) : ''
}
