import { FolderUp, Link2 } from 'lucide'
import { childOf } from '../../../shared/domain/path.ts'
import type { ActionContext } from '../../actions/action.ts'
import { t } from '../../i18n/translate.ts'
import { copyAndNotify } from '../../operations/copying/copy-and-notify.ts'
import { showInFolder } from '../../router/show-in-folder.ts'
import { keyLabel } from '../../ui/keyboard/key-labels.ts'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'

/** The key that opens a row of a folder in a new tab. It shows a result of a search in its folder. */
const showKey = 'ctrl+Enter'

/** Adds the items that only the menu of one result of a search has, before the quick look. */
export function withFoundItems(
  entries: readonly MenuEntry[],
  { folder, selected: [entry, ...others] }: ActionContext,
): readonly MenuEntry[] {
  const path = entry === undefined || others.length > 0 ? null : childOf(folder, entry.name)
  if (path === null) return entries
  const own: readonly MenuEntry[] = [
    {
      id: 'show',
      label: t('search.show'),
      icon: FolderUp,
      hint: keyLabel(showKey),
      run: () => showInFolder(path),
    },
    {
      id: 'copy-path',
      label: t('search.copyPath'),
      icon: Link2,
      run: () => void copyAndNotify(path, t('search.pathCopied')),
    },
  ]
  return entries.flatMap((item): readonly MenuEntry[] => {
    if (item.id === 'quick-look') return [...own, item]
    if (item.id !== 'open-in-new-tab' || item.kind === 'separator') return [item]
    const { hint: _hint, ...opener } = item
    return [opener]
  })
}
