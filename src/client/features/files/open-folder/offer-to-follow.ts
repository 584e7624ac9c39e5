import type { ChangeMessage } from '../../../../shared/contract/events.ts'
import { isWithin, type Path } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import { textOfPlace } from '../../../paths/names-of-place.ts'
import { filesUrl, location, navigate } from '../../../router/router.ts'
import { pathAfter } from '../../../state/entry-changes.ts'
import { addNotice } from '../../../state/notices.ts'

/**
 * Tells the user that somebody else has moved or renamed the open folder, or a folder above it, and offers to go to its new
 * place. The message stays until the user closes it. Other changes are ignored.
 */
export function offerToFollow({ kind, path, to }: ChangeMessage): void {
  const { screen, path: open, isFolder } = location.get()
  if (kind !== 'moved' || to === undefined || screen !== 'files' || open === null || !isFolder) return
  if (!isWithin(open, path as Path)) return
  const newPath = pathAfter(open, { from: path as Path, to: to as Path })
  const run = (): void => {
    if (location.get().path === open) navigate(filesUrl(newPath, true), { replace: true })
  }
  const text = t('status.folderMoved', { path: textOfPlace(newPath) })
  addNotice({ kind: 'news', text, stayMs: null, action: { label: t('status.follow'), run } })
}
