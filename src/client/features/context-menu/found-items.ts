import { FolderUp, Link2 } from 'lucide'
import { childOf } from '../../../shared/domain/path.ts'
import type { ActionContext } from '../../actions/action.ts'
import { t } from '../../i18n/translate.ts'
import { copyAndNotify } from '../../operations/copying/copy-and-notify.ts'
import { showInFolder } from '../../router/show-in-folder.ts'
import { keyLabel } from '../../ui/keyboard/key-labels.ts'
import type { MenuEntry, MenuLine } from '../../ui/menu/menu-entry.ts'

/** The key that opens a row of a folder in a new tab. It shows a result of a search in its folder. */
const showKey = 'ctrl+Enter'

/**
 * Adds the items that only the menu of one result of a search has: its folder before the preview, and its path before its
 * address.
 */
export function withFoundItems<Entry extends MenuEntry>(
  entries: readonly Entry[],
  { folder, selected: [entry, ...others] }: ActionContext,
): readonly (Entry | MenuLine)[] {
  const path = entry === undefined || others.length > 0 ? null : childOf(folder, entry.name)
  if (path === null) return entries
  const show: MenuLine = {
    id: 'show',
    label: t('search.show'),
    icon: FolderUp,
    hint: keyLabel(showKey),
    run: () => showInFolder(path),
  }
  const copyPath: MenuLine = {
    id: 'copy-path',
    label: t('search.copyPath'),
    icon: Link2,
    run: () => void copyAndNotify(path, t('search.pathCopied')),
  }
  return entries.flatMap((item): readonly (Entry | MenuLine)[] => {
    if (item.id === 'quick-look') return [show, item]
    if (item.id === 'copy-address') return [copyPath, item]
    return [item.id === 'open-in-new-tab' ? { ...item, hint: '' } : item]
  })
}
