import { Folder } from 'lucide'
import { pathOfNames, childOf, namesOf, type Path, root } from '../../../../shared/domain/path.ts'
import { queryClient } from '../../../api/query-client.ts'
import type { Subfolders } from '../../../listing/rows/subfolders.ts'
import { textOfPlace } from '../../../paths/names-of-place.ts'
import { filesUrl, navigate } from '../../../router/router.ts'
import { useUser } from '../../../state/session.ts'
import { subfoldersQuery } from '../../../subfolders/subfolders-query.ts'
import type { PaletteItem } from './palette-items.ts'

/** Returns the query for the names of the open folder's subfolders. */
export function useOpenSubfoldersQuery(folder: Path) {
  // A part of the key, because the preference decides which folders the server lists.
  const hidesDotfiles = useUser()?.hideDotfiles ?? false
  return subfoldersQuery(folder, hidesDotfiles, 'palette')
}

/** Returns the root, the folders above the open folder and the further folders, each once. */
export function folderItems(folder: Path, further: readonly Path[]): readonly PaletteItem[] {
  const names = namesOf(folder)
  const above = names.slice(0, -1).map((_, at) => pathOfNames(names.slice(0, at + 1)))
  return [...new Set([root, ...above.toReversed(), ...further])]
    .filter((path) => path !== folder)
    .map((path) => ({
      id: `folder ${path}`,
      section: 'folders',
      label: textOfPlace(path),
      icon: Folder,
      run: () => navigate(filesUrl(path, true)),
    }))
}

/** Returns the folders that the tree in the sidebar and the menus of the breadcrumb have fetched. */
export const loadedFolders = (): readonly Path[] =>
  queryClient
    .getQueriesData<Subfolders>({ queryKey: ['subfolders'] })
    .flatMap(([[, folder], found]) => childrenOf(folder as Path, found))

/** Returns the paths of fetched subfolders. */
export const childrenOf = (folder: Path, found: Subfolders | undefined): readonly Path[] =>
  found?.names.flatMap((name) => childOf(folder, name) ?? []) ?? []
