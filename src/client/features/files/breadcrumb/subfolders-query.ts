import { queryOptions } from '@tanstack/react-query'
import type { Path } from '../../../../shared/domain/path.ts'
import { call } from '../../../api/call.ts'
import { readSubfolders, subfoldersRequest, type Subfolders } from '../../../listing/rows/subfolders.ts'

/** The maximum number of folders that the menus and the completion of the breadcrumb fetch. */
const maxFolders = 1000

/** The query for the names of a folder's first subfolders. Other users may change them at any time. */
export const subfoldersQuery = (folder: Path) =>
  queryOptions({
    queryKey: ['subfolders', folder, maxFolders, 'breadcrumb'],
    queryFn: async ({ signal }): Promise<Subfolders> =>
      readSubfolders(
        await call('resources.get', { path: folder, isFolder: true, ...subfoldersRequest, signal }),
        maxFolders,
      ),
    staleTime: 0,
  })
