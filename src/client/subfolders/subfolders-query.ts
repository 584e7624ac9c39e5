import { queryOptions } from '@tanstack/react-query'
import type { Path } from '../../shared/domain/path.ts'
import { call } from '../api/call.ts'
import { readSubfolders, subfoldersRequest, type Subfolders } from '../listing/rows/subfolders.ts'

/** The maximum number of folders that the breadcrumb and the palette fetch. */
const maxFolders = 1000

/**
 * The query for the names of a folder's first subfolders. Other users may change them at any time. `key` holds who asks, and the
 * preferences on which the response depends.
 */
export const subfoldersQuery = (folder: Path, ...key: readonly (string | boolean)[]) =>
  queryOptions({
    queryKey: ['subfolders', folder, maxFolders, ...key],
    queryFn: async ({ signal }): Promise<Subfolders> =>
      readSubfolders(
        await call('resources.get', { path: folder, isFolder: true, ...subfoldersRequest, signal }),
        maxFolders,
      ),
    staleTime: 0,
  })
