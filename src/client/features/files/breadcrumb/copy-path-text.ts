import '../../../i18n/later-texts.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import { copyText } from '../../../operations/copying/copy-text.ts'
import { notify, notifyFailure } from '../../../state/notices.ts'

/** Copies a path to the clipboard and reports the outcome. */
export async function copyPathText(path: Path): Promise<void> {
  if (await copyText(path)) notify(t('done.copyText'))
  else notifyFailure(t('failed.copyText'))
}
