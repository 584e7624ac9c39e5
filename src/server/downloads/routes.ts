import { getRaw } from '../../shared/contract/raw.ts'
import { isFolder } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { route, type Route } from '../http/route.ts'

/** Downloads of single files (contract 5.1). */
export const downloadRoutes: readonly Route[] = [
  route(getRaw, async ({ caller, path, query, signal }) => {
    const file = await caller.storage.open(path, { signal })
    if (isFolder(file.entry)) {
      await file.close()
      throw new AppError('bad-request', { reason: 'a folder is downloaded as an archive' })
    }
    return { kind: 'file', file, isInline: query.inline === 'true' }
  }),
]
