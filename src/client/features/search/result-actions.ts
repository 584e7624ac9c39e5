import type { Path } from '../../../shared/domain/path.ts'
import { type Action, type ActionContext, isAvailable } from '../../actions/action.ts'
import { actionOfKey, isKeyTaken, isTextField } from '../../actions/action-keys.ts'
import { resultContext } from '../../actions/page-context.ts'
import { actions } from '../../actions/actions.ts'
import { t } from '../../i18n/translate.ts'
import { suitsFoldersOf } from '../context-menu/menu-entries.ts'
import { filesUrl, navigate } from '../../router/router.ts'
import { notify, notifyFailure } from '../../state/notices.ts'
import type { FoundEntry } from './search-hit.ts'

/** The actions of the menu of results. The quick look of the listing shows a row of the open folder. */
export const resultActions: readonly Action[] = actions.filter(
  ({ id, places }) => places.includes('entry-menu') && id !== 'quick-look',
)

/** Opens a found file or folder. */
export const openFound = ({ path, isFolder }: FoundEntry): void => navigate(filesUrl(path, isFolder))

/** Runs the action of a key on results. Returns true for every key of such an action, also while it is not available. */
export function runKeyOn(context: ActionContext, event: KeyboardEvent): boolean {
  const action = actionOfKey(event)
  if (action === undefined || action.isNative === true || !resultActions.includes(action)) return false
  if (suitsFoldersOf(context, action) && isAvailable(action, context)) void action.run(context)
  return true
}

/**
 * Lets the keys that are pressed outside of the results apply to the selected results as well, while there are any. Returns
 * the function that ends this.
 */
export function applyKeysToResults(): () => void {
  const ending = new AbortController()
  const options = { capture: true, signal: ending.signal }
  document.addEventListener('keydown', onKey, options)
  document.addEventListener('copy', onClipboard, options)
  document.addEventListener('cut', onClipboard, options)
  return () => ending.abort()
}

function onKey(event: KeyboardEvent): void {
  const context = isKeyTaken(event) ? null : contextFor(event.target)
  const action = context === null ? undefined : actionOfKey(event)
  if (context === null || action === undefined || action.takes === 'nothing' || action.isNative === true)
    return
  event.preventDefault()
  event.stopPropagation()
  runKeyOn(context, event)
}

function onClipboard(event: ClipboardEvent): void {
  const context = contextFor(event.target)
  if (context === null) return
  event.stopPropagation()
  takeToClipboard(event, context)
}

/** Returns the context of the selected results for an event outside of the results, their dialogs and text fields. */
const contextFor = (target: EventTarget | null): ActionContext | null =>
  target instanceof Element &&
  !isTextField(target) &&
  target.closest('[data-found], [role="dialog"], [role="alertdialog"], [role="menu"]') === null
    ? resultContext.get()
    : null

/** Cuts or copies results at the event that the browser fires for its keys. The system's clipboard gets the names. */
export function takeToClipboard(event: ClipboardEvent, context: ActionContext): void {
  const id = event.type === 'cut' ? 'cut' : 'copy-to-clipboard'
  const action = actions.find((one) => one.id === id)
  if (action === undefined || !isAvailable(action, context) || getSelection()?.isCollapsed === false) return
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
