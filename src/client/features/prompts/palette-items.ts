import { isAvailable, type ActionContext } from '../../actions/action.ts'
import { keyHintOf } from '../../actions/action-keys.ts'
import { actions } from '../../actions/actions.ts'
import { namesOf, type Path, root } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { filesUrl, navigate } from '../../router/router.ts'
import type { IconName } from '../../ui/icon-names.ts'
import { visibleName } from '../../ui/visible-name.ts'

/** An entry of the command palette: an action, or a folder to go to. */
export type PaletteItem = {
  readonly id: string
  readonly section: 'actions' | 'folders'
  readonly label: string
  readonly icon: IconName
  /** The key combination of an action as it is shown, for example `Ctrl+A`. */
  readonly key: string | undefined
  readonly run: () => void
}

/** Returns everything that the palette offers: the actions that are available now, then the folders. */
export const paletteItems = (context: ActionContext, recent: readonly Path[]): readonly PaletteItem[] => [
  ...actionItems(context),
  ...folderItems(context.folder, recent),
]

const actionItems = (context: ActionContext): readonly PaletteItem[] =>
  actions
    .filter(
      (action) => action.id !== 'palette' && action.isChosen?.() !== true && isAvailable(action, context),
    )
    .map((action) => ({
      id: `action ${action.id}`,
      section: 'actions',
      label: t(`action.${action.id}`),
      icon: action.icon,
      key: keyHintOf(action),
      run: () => void action.run(context),
    }))

/** Returns the root, the folders above the open folder, and the recently opened folders, each once. */
function folderItems(folder: Path, recent: readonly Path[]): readonly PaletteItem[] {
  const names = namesOf(folder)
  const above = names.slice(0, -1).map((_, at) => `/${names.slice(0, at + 1).join('/')}` as Path)
  return [...new Set([root, ...above.toReversed(), ...recent])]
    .filter((path) => path !== folder)
    .map((path) => ({
      id: `folder ${path}`,
      section: 'folders',
      label: path === root ? t('sidebar.myFiles') : visibleName(path.slice(1)),
      icon: 'folder',
      key: undefined,
      run: () => navigate(filesUrl(path, true)),
    }))
}

/** Returns true when a label contains each word of the query, regardless of case. */
export function isMatch(label: string, query: string): boolean {
  const text = label.toLocaleLowerCase()
  const words = query.trim().toLocaleLowerCase().split(/\s+/)
  return words.every((word) => text.includes(word))
}
