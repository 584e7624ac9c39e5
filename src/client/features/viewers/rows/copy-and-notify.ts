import { t } from '../../../i18n/translate.ts'
import { copyText } from '../../../operations/copying/copy-text.ts'
import { notify, notifyFailure } from '../../../state/notices.ts'

/** Copies a text to the clipboard of the system, and shows a notice about the outcome. */
export async function copyAndNotify(text: string): Promise<void> {
  if (await copyText(text)) notify(t('done.copyText'))
  else notifyFailure(t('failed.copyText'))
}
