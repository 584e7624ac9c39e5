import { queryOptions } from '@tanstack/react-query'
import type { Path } from '../../../../shared/domain/path.ts'
import { compareNames } from '../../../../shared/domain/sorting.ts'
import { namesIn } from '../../../operations/names-in.ts'

/**
 * The query for the sorted names of a folder's subfolders. The result is stale immediately, because other users may
 * create and delete folders at any time.
 */
export const childFoldersQuery = (folder: Path) =>
  queryOptions({
    queryKey: ['folder names', folder],
    // A request without the signal would go on after the picker was closed, and the next picker would wait for its older names.
    queryFn: async ({ signal }) => {
      const names = await namesIn(folder, signal)
      return [...names].flatMap(([name, { isFolder }]) => (isFolder ? name : [])).sort(compareNames)
    },
    staleTime: 0,
  })
