import { queryOptions } from '@tanstack/react-query'
import type { Path } from '../../../shared/domain/path.ts'
import { call } from '../../api/call.ts'
import { queryClient } from '../../api/query-client.ts'
import { readSubfolders, subfoldersRequest, type Subfolders } from '../../listing/rows/subfolders.ts'

/** The key of all queries for the subfolders of a folder, to invalidate them after a change. */
export const childrenKey = (folder: Path) => ['subfolders', folder] as const

type ChildrenQuery = {
  readonly folder: Path
  /** The maximum number of names to fetch. */
  readonly limit: number
  /** A part of the key, because the preference decides which folders the server lists. */
  readonly hidesDotfiles: boolean
}

/**
 * The time in milliseconds after which a folder that is expanded again is fetched again. Other users may change it at
 * any time.
 */
const freshMs = 5000

/** The query for the first subfolders of a folder. While more of them are fetched, the previous names stay. */
export const childrenQuery = ({ folder, limit, hidesDotfiles }: ChildrenQuery) =>
  queryOptions({
    queryKey: [...childrenKey(folder), limit, hidesDotfiles],
    queryFn: async ({ signal }): Promise<Subfolders> =>
      readSubfolders(
        await call('resources.get', { path: folder, isFolder: true, ...subfoldersRequest, signal }),
        limit,
      ),
    placeholderData: () => loadedChildren(folder),
    staleTime: freshMs,
  })

/**
 * Returns the names that earlier queries with a lower `limit` have loaded. They are shown while more names are
 * fetched.
 */
function loadedChildren(folder: Path): Subfolders | undefined {
  const loaded = queryClient.getQueriesData<Subfolders>({ queryKey: childrenKey(folder) })
  return loaded.map(([, names]) => names).findLast((names) => names !== undefined)
}
