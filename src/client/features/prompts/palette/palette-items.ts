import { type Action, type ActionContext, appliesTo, missingNeed } from '../../../actions/action.ts'
import { keyHintOf } from '../../../actions/action-keys.ts'
import { actions, isReplaced } from '../../../actions/actions.ts'
import { contextOfAction } from '../../../actions/page-context.ts'
import { t } from '../../../i18n/translate.ts'
import { openFolder } from '../../../state/open-folder.ts'
import type { IconDrawing } from '../../../ui/icon.tsx'

/** An entry of the command palette: an action, a place to go to, or the search for a file. */
export type PaletteItem = {
  readonly id: string
  readonly section: 'actions' | 'folders' | 'files'
  readonly label: string
  /** Further words by which the item is found, for example the words of another program for the same command. */
  readonly words?: string
  readonly icon: IconDrawing
  /** The key combination of an action as it is shown, for example `Ctrl+A`. */
  readonly key?: string | undefined
  /** True for the choice that is in effect, such as the current order of the list. */
  readonly isChosen?: boolean
  /** The reason why an action cannot run now. It is listed, because the user looks for it and would run another one instead. */
  readonly reason?: string | undefined
  /** True for an item that puts another text into the field of the palette. */
  readonly staysOpen?: boolean
  readonly run: () => void
}

/** The actions that the palette does not offer, because other items do the same and say more. */
const replaced: readonly string[] = ['palette', 'upload']

/** The actions that apply to an open file beside those of its header. */
const furtherFileActions: readonly string[] = ['copy-address', 'copy', 'move', 'compress', 'open-in-new-tab']

type ActionItemsSource = {
  /** The open folder with its selected rows, or with the open file. */
  readonly context: ActionContext
  /** The context of the actions for entries while results of a search are selected, or null. */
  readonly results: ActionContext | null
  /** True while a file is open. */
  readonly isFile: boolean
}

/** Returns the actions that the user may run here. Those that the selection does not allow now come with the reason. */
export const actionItems = ({ context: open, results, isFile }: ActionItemsSource): readonly PaletteItem[] =>
  actions
    .map((action) => ({ action, context: contextOfAction(action, open, results) }))
    .filter(
      ({ action, context }) =>
        !replaced.includes(action.id) &&
        (action.id !== 'clear-selection' || context.isMultiple || (results ?? open).selected.length > 0) &&
        isOnScreen(action, isFile) &&
        appliesTo(action, context) &&
        !isReplaced(action, context),
    )
    .map(({ action, context }) => {
      const missing = missingNeed(action, context)
      return {
        id: `action ${action.id}`,
        section: 'actions',
        label: t(action.label),
        words: wordsOf(action),
        icon: action.icon,
        key: keyHintOf(action),
        isChosen: action.isChosen?.() ?? false,
        reason: missing === null ? undefined : t(`action.needs.${missing}`),
        run: () => void action.run(context),
      }
    })

/** The actions without a selection that need a list on screen. */
const listActions: readonly string[] = [
  'select-multiple',
  'select-all',
  'clear-selection',
  'invert-selection',
  'search',
]

/** Returns true when the screen has what the action applies to: the list, its selected rows, or an open file. */
function isOnScreen({ id, takes, places }: Action, isFile: boolean): boolean {
  if (openFolder.get() === null && listActions.includes(id)) return false
  if (takes === 'nothing') return true
  if (isFile) return places.includes('file-header') || furtherFileActions.includes(id)
  return takes === 'any' || openFolder.get() !== null
}

const wordsOf = ({ id, menuGroup }: Action): string => {
  if (menuGroup === 'sort') return t('palette.words.sort')
  if (id === 'delete') return t('palette.words.delete')
  return id === 'info' ? t('palette.words.info') : ''
}

/**
 * Returns the items that contain each word of the query, regardless of case. Items whose label starts with the query are
 * first within their section, and items that only their further words match are last. Of those that match equally well, items that
 * cannot run now are last.
 */
export function matchingItems(items: readonly PaletteItem[], query: string): readonly PaletteItem[] {
  const typed = searchedForm(query.trim())
  const words = typed.split(/\s+/)
  const hasWords = (text: string): boolean => words.every((word) => text.includes(word))
  const gradeOf = ({ label, words: further = '' }: PaletteItem): number => {
    const own = searchedForm(label)
    if (own.slice(own.lastIndexOf('/') + 1).startsWith(typed)) return 0
    if (hasWords(own)) return 1
    return hasWords(`${own} ${further.toLocaleLowerCase()}`) ? 2 : 3
  }
  const graded = items.map((item) => ({ item, grade: gradeOf(item) }))
  return graded
    .filter(({ grade }) => grade < 3)
    .toSorted((a, b) => a.grade - b.grade || Number(isBlocked(a.item)) - Number(isBlocked(b.item)))
    .map(({ item }) => item)
}

/** Returns a text without case, the spaces around its slashes, and the characters that isolate the directions of its parts. */
const searchedForm = (text: string): string =>
  text
    .toLocaleLowerCase()
    .replaceAll(/[\u2066-\u2069]/g, '')
    .replaceAll(/ ?\/ ?/g, '/')

const isBlocked = ({ reason }: PaletteItem): boolean => reason !== undefined
