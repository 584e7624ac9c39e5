import { t } from '../../../i18n/translate.ts'

/** Returns the message for a file whose content cannot be decoded, although its format is known. */
export const damagedReason = (): string => `${t('file.noPreview')}\n${t('viewer.damaged')}`
