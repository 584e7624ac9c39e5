import { t } from '../../../i18n/translate.ts'
import { copyText } from '../../../operations/copy-text.ts'
import { tell, tellFailure } from '../../../state/notices.ts'

/** Copies a text to the clipboard of the system, and shows a notice about the outcome. */
export async function copyAndTell(text: string): Promise<void> {
  if (await copyText(text)) tell(t('done.copyText'))
  else tellFailure(t('failed.copyText'))
}
