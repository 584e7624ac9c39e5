import { childOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { filesUrl, withBase } from '../../router/router.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { copyAndNotify } from './copy-and-notify.ts'

/** Copies the addresses of entries in this program to the clipboard as text, one in each line, and reports the outcome. */
export async function copyAddresses(folder: Path, entries: readonly ListedEntry[]): Promise<void> {
  const urls = entries.flatMap((entry) => {
    const path = childOf(entry.folder ?? folder, entry.name)
    return path === null ? [] : [location.origin + withBase(filesUrl(path, entry.isFolder))]
  })
  await copyAndNotify(urls.join('\n'), t('done.copyAddresses', { count: urls.length }))
}
