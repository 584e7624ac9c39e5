import { useEffect } from 'react'
import { parentOf } from '../../../shared/domain/path.ts'
import type { Action } from '../../actions/action.ts'
import { t } from '../../i18n/translate.ts'
import { showInFolder } from '../../router/show-in-folder.ts'
import { useStore } from '../../state/store.ts'
import { keyLabel } from '../../ui/keys.ts'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import { headingOf } from '../context-menu/context-menu.tsx'
import { menuEntriesOf } from '../context-menu/menu-entries.ts'
import { PointerMenu } from '../../ui/menu/pointer-menu.tsx'
import { QuickLookPanel } from '../quick-look/quick-look-panel.tsx'
import { contextOfFound, matchesAround } from './found-selection.ts'
import { copyPath, resultActions } from './result-actions.ts'
import { closeResultMenu, resultLook, resultMenu } from './result-layer-state.ts'
import { type FoundEntry, listedEntryOf } from './search-hit.ts'
import type { FolderSearch } from './searcher.ts'

type ResultLayersProps = {
  readonly search: FolderSearch
  /** The result that has the focus, or undefined when there is none. */
  readonly current: FoundEntry | undefined
}

/** Renders what lies above the results: the open menu, and the quick look at the result that has the focus. */
export function ResultLayers({ search, current }: ResultLayersProps) {
  const isLooking = useStore(resultLook)
  useEffect(() => () => resultLook.set(false), [])
  return (
    <>
      <ResultMenu search={search} />
      {isLooking && current !== undefined && (
        <QuickLookPanel
          path={current.path}
          entry={listedEntryOf(current)}
          size="open"
          onClose={() => resultLook.set(false)}
        />
      )}
    </>
  )
}

/** Renders the menu of a result, or of all selected results when the result is one of them. */
function ResultMenu({ search: { entries, folder } }: { readonly search: FolderSearch }) {
  const place = useStore(resultMenu)
  const entry = entries.find(({ path }) => path === place?.path)
  if (place === null || entry === undefined) return null
  const selected = matchesAround(entries, entry)
  const context = contextOfFound(selected, selected.length > 1 ? folder : parentOf(entry.path))
  const items = menuEntriesOf(resultActions.map(withoutListKey), context)
  // The own items end the first group, which opens the result.
  const end = items.findIndex(({ kind }) => kind === 'separator')
  const own = selected.length > 1 ? [lookItem()] : [...ownItems(entry), lookItem()]
  return (
    <PointerMenu
      place={place}
      heading={headingOf(context)}
      label={t(selected.length > 1 ? 'search.selection' : 'listing.menu')}
      entries={[...items.slice(0, end), ...own, ...items.slice(end)]}
      onClose={closeResultMenu}
    />
  )
}

/** Returns an action without the key of the listing, which shows a result in its folder. */
function withoutListKey(action: Action): Action {
  const { listKey: _listKey, ...rest } = action
  return action.listKey === 'ctrl+Enter' ? rest : action
}

/** Returns the items that only the menu of one result has. */
const ownItems = (entry: FoundEntry): readonly MenuEntry[] => [
  {
    id: 'show',
    label: t('search.show'),
    icon: 'folder-up',
    hint: keyLabel('ctrl+Enter'),
    run: () => showInFolder(entry.path),
  },
  { id: 'copy-path', label: t('search.copyPath'), icon: 'link', run: () => void copyPath(entry.path) },
]

/** Returns the item that shows the quick look at the result that has the focus. */
const lookItem = (): MenuEntry => ({
  id: 'look',
  label: t('action.quick-look'),
  icon: 'fit',
  hint: keyLabel('Space'),
  run: () => resultLook.set(true),
})
