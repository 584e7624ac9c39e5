import { getRaw } from '../../shared/contract/raw.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import { route, type Answer, type Route } from '../http/route.ts'

/** A folder of a caller, or some of what is in it, as an archive. */
export type FolderAsked = {
  readonly caller: Caller
  readonly folder: Path
  /** As on the wire (contract 5.2). */
  readonly files: string
  readonly algo: string
  readonly signal: AbortSignal
}

export type DownloadNeeds = { readonly pack: (asked: FolderAsked) => Promise<Answer> }

/** Downloads of single files and of folders (contract 5). */
export const downloadRoutes = ({ pack }: DownloadNeeds): readonly Route[] => [
  route(getRaw, async ({ caller, path, query, signal }) => {
    try {
      // Pipes, sockets and devices are `forbidden`.
      const file = await caller.storage.open(path, { signal })
      return { kind: 'file', file, isInline: query.inline === 'true' }
    } catch (error) {
      if (codeOf(error) !== 'is-a-folder') throw error
    }
    const { files = '', algo = '' } = query
    return pack({ caller, folder: path, files, algo, signal })
  }),
]
