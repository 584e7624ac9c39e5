import { t } from '../../i18n/translate.ts'
import { notify, notifyFailure } from '../../state/notices.ts'
import { copyText } from './copy-text.ts'

/** Copies a text to the clipboard of the system, and shows a notice about the outcome. `done` is the text of the notice about success. */
export async function copyAndNotify(text: string, done = t('done.copyText')): Promise<void> {
  if (await copyText(text)) notify(done)
  else notifyFailure(t('failed.copyText'))
}
