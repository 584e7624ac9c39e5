import { nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { type Action, type ActionContext, isAvailable } from '../../actions/action.ts'
import { actions } from '../../actions/actions.ts'
import { t } from '../../i18n/translate.ts'
import { filesUrl, location, navigate } from '../../router/router.ts'
import { notify, notifyFailure } from '../../state/notices.ts'
import { openFolder } from '../../state/open-folder.ts'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import { contextOfFound } from './found-selection.ts'
import type { FoundEntry } from './search-hit.ts'

/** The actions that apply to a result although its folder is not open. */
const resultActionIds: readonly string[] = [
  'download',
  'rename',
  'copy',
  'move',
  'cut',
  'copy-to-clipboard',
  'delete',
]

const contextOf = (entry: FoundEntry): ActionContext => contextOfFound([entry], parentOf(entry.path))

/** Returns the actions that the user may run for results. */
export const actionsFor = (context: ActionContext): readonly Action[] =>
  actions.filter(({ id }) => resultActionIds.includes(id)).filter((action) => isAvailable(action, context))

/** Opens a found file or folder. */
export const openFound = ({ path, isFolder }: FoundEntry): void => navigate(filesUrl(path, isFolder))

/** Opens the folder of a found entry, selects its row and gives the row the focus. */
export function showInFolder({ path }: FoundEntry): void {
  const folder = parentOf(path)
  navigate(filesUrl(folder, true))
  const focusWhenOpen = (): void => {
    if (openFolder.get()?.folder === folder) {
      stop()
      // The rows are in the document only after React has rendered the folder.
      setTimeout(() => openFolder.get()?.focus(nameOf(path)))
    } else if (location.get().path !== folder) stop()
  }
  const stops = [openFolder.subscribe(focusWhenOpen), location.subscribe(focusWhenOpen)]
  const stop = (): void => {
    for (const end of stops) end()
  }
  focusWhenOpen()
}

/** Runs the action that belongs to a key. Returns true for every key of an action, also while it is not available. */
export function runKeyOn(context: ActionContext, combination: string): boolean {
  const action = actions.find(
    ({ id, keys, isNative }) =>
      isNative !== true && resultActionIds.includes(id) && keys.includes(combination),
  )
  if (action === undefined) return false
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

/** Returns the items of the menu of a result. */
export const menuOf = (entry: FoundEntry): readonly MenuEntry[] => [
  {
    id: 'open',
    label: t('search.open'),
    icon: entry.isFolder ? 'folder' : 'file',
    run: () => openFound(entry),
  },
  { id: 'show', label: t('search.show'), icon: 'folder-up', run: () => showInFolder(entry) },
  { id: 'copy-path', label: t('search.copyPath'), icon: 'link', run: () => void copyPath(entry.path) },
  { kind: 'separator', id: 'actions' },
  ...actionsFor(contextOf(entry)).map((action) => ({
    id: action.id,
    label: t(`action.${action.id}`),
    icon: action.icon,
    isDangerous: action.id === 'delete',
    run: () => void action.run(contextOf(entry)),
  })),
]

/** Copies a path to the clipboard. Pages on plain http have no clipboard API, so the text of a hidden field is copied there. */
async function copyPath(path: Path): Promise<void> {
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
