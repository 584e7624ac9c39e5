import { getRaw } from '../../shared/contract/raw.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import { route, type Route } from '../http/route.ts'
import type { OpenFile, Storage } from '../storage/port.ts'

/** Downloads of single files (contract 5.1). */
export const downloadRoutes: readonly Route[] = [
  route(getRaw, async ({ caller, path, query, signal }) => ({
    kind: 'file',
    file: await openFile(caller.storage, path, signal),
    isInline: query.inline === 'true',
  })),
]

/** Pipes, sockets and devices are `forbidden`; a folder has no bytes of its own. */
async function openFile(storage: Storage, path: Path, signal: AbortSignal): Promise<OpenFile> {
  try {
    return await storage.open(path, { signal })
  } catch (cause) {
    if (codeOf(cause) !== 'is-a-folder') throw cause
    throw new AppError('bad-request', { reason: 'a folder is downloaded as an archive', cause })
  }
}
