import '../../i18n/later-texts.ts'
import { t } from '../../i18n/translate.ts'
import { notify, notifyFailure } from '../../state/notices.ts'
import { copyText } from './copy-text.ts'

/** Copies addresses to the clipboard as text, one in each line, and reports the outcome. */
export async function copyLinks(urls: readonly string[]): Promise<void> {
  if (await copyText(urls.join('\n'))) notify(t('done.copyLinks', { count: urls.length }))
  else notifyFailure(t('failed.copyText'))
}
