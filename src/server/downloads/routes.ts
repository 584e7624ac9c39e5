import { getRaw } from '../../shared/contract/raw.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import { route, type Answer, type Route } from '../http/route.ts'
import type { OpenFile, Storage } from '../storage/port.ts'

/** A folder of a caller, or some of what is in it, as an archive. */
export type FolderAsked = {
  readonly caller: Caller
  readonly folder: Path
  /** As on the wire (contract 5.2). */
  readonly files: string
  readonly algo: string
  readonly signal: AbortSignal
}

export type DownloadNeeds = { readonly pack: (asked: FolderAsked) => Answer }

/** Downloads of single files and of folders (contract 5). */
export const downloadRoutes = ({ pack }: DownloadNeeds): readonly Route[] => [
  route(getRaw, async ({ caller, path, query, signal }) => {
    const file = await openFile(caller.storage, path, signal)
    if (file !== 'folder') return { kind: 'file', file, isInline: query.inline === 'true' }
    const { files = '', algo = '' } = query
    return pack({ caller, folder: path, files, algo, signal })
  }),
]

/** Pipes, sockets and devices are `forbidden`. */
async function openFile(storage: Storage, path: Path, signal: AbortSignal): Promise<OpenFile | 'folder'> {
  try {
    return await storage.open(path, { signal })
  } catch (error) {
    if (codeOf(error) === 'is-a-folder') return 'folder'
    throw error
  }
}
