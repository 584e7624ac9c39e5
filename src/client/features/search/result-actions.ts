import type { Path } from '../../../shared/domain/path.ts'
import { type Action, type ActionContext, isAvailable } from '../../actions/action.ts'
import { actionOfKey } from '../../actions/action-keys.ts'
import { actions } from '../../actions/actions.ts'
import { t } from '../../i18n/translate.ts'
import { filesUrl, navigate } from '../../router/router.ts'
import { notify, notifyFailure } from '../../state/notices.ts'
import type { FoundEntry } from './search-hit.ts'

/** The actions that apply to results in several folders, whose entries have a folder of their own. */
const severalFoldersIds: readonly string[] = [
  'download',
  'rename',
  'copy',
  'move',
  'cut',
  'copy-to-clipboard',
  'delete',
  'info',
]

/** Returns the actions of the menu of results. The quick look of the listing shows a row of the open folder. */
export const menuActionsFor = ({ selected }: ActionContext): readonly Action[] => {
  const isOneFolder = selected.every(({ folder }) => folder === undefined)
  return actions.filter(
    ({ id, places }) =>
      places.includes('entry-menu') && id !== 'quick-look' && (isOneFolder || severalFoldersIds.includes(id)),
  )
}

/** Returns the actions that the bar of the selected results shows, which the user may run. */
export const actionsFor = (context: ActionContext): readonly Action[] =>
  actions.filter(({ id }) => severalFoldersIds.includes(id)).filter((action) => isAvailable(action, context))

/** Opens a found file or folder. */
export const openFound = ({ path, isFolder }: FoundEntry): void => navigate(filesUrl(path, isFolder))

/** Runs the action of a key on results. Returns true for every key of such an action, also while it is not available. */
export function runKeyOn(context: ActionContext, event: KeyboardEvent): boolean {
  const action = actionOfKey(event)
  if (action === undefined || action.isNative === true || !menuActionsFor(context).includes(action))
    return false
  if (isAvailable(action, context)) void action.run(context)
  return true
}

/** Cuts or copies results at the event that the browser fires for its keys. The system's clipboard gets the names. */
export function takeToClipboard(event: ClipboardEvent, context: ActionContext): void {
  const id = event.type === 'cut' ? 'cut' : 'copy-to-clipboard'
  const action = actionsFor(context).find((one) => one.id === id)
  if (action === undefined || getSelection()?.isCollapsed === false) return
  event.preventDefault()
  event.clipboardData?.setData('text/plain', context.selected.map(({ name }) => name).join('\n'))
  void action.run(context)
}

/** Copies a path to the clipboard. Pages on plain http have no clipboard API, so the text of a hidden field is copied there. */
export async function copyPath(path: Path): Promise<void> {
  const isCopied = await (navigator.clipboard?.writeText(path).then(
    () => true,
    () => false,
  ) ?? copyFromField(path))
  if (isCopied) notify(t('search.pathCopied'))
  else notifyFailure(t('search.pathNotCopied'))
}

function copyFromField(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  const focused = document.activeElement
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
