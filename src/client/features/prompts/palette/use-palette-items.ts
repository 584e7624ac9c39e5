import { useMemo } from 'react'
import { Search } from 'lucide'
import { useQuery } from '../../../api/use-query.ts'
import { pageContextOf, resultContext } from '../../../actions/page-context.ts'
import { t } from '../../../i18n/translate.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { location } from '../../../router/router.ts'
import { openFile } from '../../../state/screens/open-file.ts'
import { pinned } from '../../../state/pins.ts'
import { recentPlaces } from '../../../state/recent-places.ts'
import { foldersOf } from '../../../state/saved-recent-places.ts'
import { useMay, useUser } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { childrenOf, folderItems, loadedFolders, useOpenSubfoldersQuery } from './folder-items.ts'
import { deviceItems, settingsItems } from './page-items.ts'
import { actionItems, matchingItems, type PaletteItem } from './palette-items.ts'

/** The maximum number of places that are shown. Further letters narrow them. */
const maxPlaces = 50

/**
 * Returns the items of the palette for a query, and after them the search for a file with this name. There are none without a
 * query. `continueWith` puts another text into the field of the palette.
 */
export function usePaletteItems(
  query: string | null,
  continueWith: (text: string) => void,
): readonly PaletteItem[] {
  const may = useMay()
  const { folder, selected: rows } = pageContextOf(useStore(location), may)
  const user = useUser()
  const file = useStore(openFile)
  const { isMultiple } = useStore(folderListing.selection)
  const recent = foldersOf(useStore(recentPlaces))
  const { folders: pins } = useStore(pinned)
  const { data: subfolders } = useQuery({ ...useOpenSubfoldersQuery(folder), enabled: query !== null })
  const results = useStore(resultContext)
  const loaded = useMemo(() => loadedFolders(), [])
  if (query === null) return []
  const text = query.trim()
  const context = { folder, selected: file === null ? rows : [file], may, isMultiple }
  const findFiles = (sought: string) => ({ staysOpen: true, run: () => continueWith(sought) })
  const commands = [
    ...actionItems({ context, results, isFile: file !== null }).map((item) =>
      item.id === 'action go-to-file' ? { ...item, ...findFiles('') } : item,
    ),
    ...deviceItems(),
  ]
  // Without a text, the subfolders would hide the other places.
  const further = [...recent, ...pins, ...(text === '' ? [] : [...childrenOf(folder, subfolders), ...loaded])]
  const places = [...folderItems(folder, further), ...settingsItems(user)]
  return [
    ...matchingItems(commands, text),
    ...matchingItems(places, text).slice(0, maxPlaces),
    ...(text === '' ? [] : [{ ...findItem(text), ...findFiles(text) }]),
  ]
}

/** Returns the item that searches all folders for a file, for users who expect files here. */
const findItem = (text: string) =>
  ({ id: 'find', section: 'files', label: t('palette.find', { text }), icon: Search }) as const
