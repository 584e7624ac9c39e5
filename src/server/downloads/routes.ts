import { getRaw } from '../../shared/contract/raw.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import { route, type RouteResponse, type Route } from '../http/route.ts'

/** A caller's request for an archive of a folder or of some of its entries. */
export type FolderDownload = {
  readonly caller: Caller
  readonly folder: Path
  /** The names of the requested entries, as in the query (contract 5.2). */
  readonly files: string
  readonly algo: string
  readonly signal: AbortSignal
}

export type DownloadDependencies = { readonly pack: (request: FolderDownload) => Promise<RouteResponse> }

/** Returns the route for downloads of single files and folders (contract 5). */
export const downloadRoutes = ({ pack }: DownloadDependencies): readonly Route[] => [
  route(getRaw, async ({ caller, path, query, signal }) => {
    try {
      // Opening a pipe, socket or device throws `forbidden`.
      const file = await caller.storage.open(path, { signal })
      return { kind: 'file', file, isInline: query.inline === 'true' }
    } catch (error) {
      if (codeOf(error) !== 'is-a-folder') throw error
    }
    const { files = '', algo = '' } = query
    return pack({ caller, folder: path, files, algo, signal })
  }),
]
