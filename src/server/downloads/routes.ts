import { getRaw } from '../../shared/contract/raw.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { OpenFile } from '../storage/port.ts'
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

/** A caller's request for a part of a media file in a container that browsers play. */
export type RemuxDownload = {
  readonly file: OpenFile
  readonly from: string
  readonly principal: string
  readonly signal: AbortSignal
}

export type DownloadDependencies = {
  readonly pack: (request: FolderDownload) => Promise<RouteResponse>
  readonly remux: (request: RemuxDownload) => Promise<RouteResponse>
}

/** Returns the route for downloads of single files and folders (contract 5). */
export const downloadRoutes = ({ pack, remux }: DownloadDependencies): readonly Route[] => [
  route(getRaw, async ({ caller, path, query, signal }) => {
    const file = await openFileOrFolder(caller, path, signal)
    if (file === 'folder') {
      const { files = '', algo = '' } = query
      return pack({ caller, folder: path, files, algo, signal })
    }
    return query.remux === undefined
      ? { kind: 'file', file, isInline: query.inline === 'true' }
      : remux({ file, from: query.remux, principal: `user ${caller.user.id}`, signal })
  }),
]

/** Opens a file. Throws `forbidden` for a pipe, socket or device. */
async function openFileOrFolder(
  caller: Caller,
  path: Path,
  signal: AbortSignal,
): Promise<OpenFile | 'folder'> {
  try {
    return await caller.storage.open(path, { signal })
  } catch (error) {
    if (codeOf(error) === 'is-a-folder') return 'folder'
    throw error
  }
}
