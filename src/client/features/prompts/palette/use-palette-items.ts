import { useMemo } from 'react'
import { Search } from 'lucide'
import { useQuery } from '../../../api/use-query.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { resultContext } from '../../../actions/page-context.ts'
import { t } from '../../../i18n/translate.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { openFile } from '../../../state/screens/open-file.ts'
import { pinned } from '../../../state/pins.ts'
import { prompt } from '../../../state/prompt.ts'
import { recentPlaces } from '../../../state/recent-places.ts'
import { foldersOf } from '../../../state/saved-recent-places.ts'
import { useMay, useUser } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { childrenOf, folderItems, loadedFolders, useOpenSubfoldersQuery } from './folder-items.ts'
import { deviceItems, settingsItems } from './page-items.ts'
import { actionItems, matchingItems, type PaletteItem } from './palette-items.ts'

/** The maximum number of places that are shown. Further letters narrow them. */
const maxPlaces = 50

/** Returns the items of the palette for a text, and after them the search for a file with this name. */
export function usePaletteItems(
  { folder, entries }: { readonly folder: Path; readonly entries: readonly ListedEntry[] },
  query: string,
): readonly PaletteItem[] {
  const may = useMay()
  const user = useUser()
  const file = useStore(openFile)
  const { isMultiple } = useStore(folderListing.selection)
  const recent = foldersOf(useStore(recentPlaces))
  const { folders: pins } = useStore(pinned)
  const { data: subfolders } = useQuery(useOpenSubfoldersQuery(folder))
  const results = useStore(resultContext)
  const selected = file === null ? entries : [file]
  const near = useMemo(() => childrenOf(folder, subfolders), [folder, subfolders])
  const loaded = useMemo(() => loadedFolders(), [])
  const text = query.trim()
  const context = { folder, selected, may, isMultiple }
  const commands = [...actionItems({ context, results, isFile: file !== null }), ...deviceItems()]
  // Without a text, the subfolders would hide the other places.
  const further = [...recent, ...pins, ...(text === '' ? [] : [...near, ...loaded])]
  const places = [...folderItems(folder, further), ...settingsItems(user)]
  return [
    ...matchingItems(commands, text),
    ...matchingItems(places, text).slice(0, maxPlaces),
    ...(text === '' ? [] : [findItem(text)]),
  ]
}

/** Returns the item that searches all folders for a file, for users who expect files in this dialog. */
const findItem = (text: string): PaletteItem => ({
  id: 'find',
  section: 'files',
  label: t('palette.find', { text }),
  icon: Search,
  run: () => prompt.set({ kind: 'go-to-file', text }),
})
