import type { getUsage, Usage } from '../../shared/contract/usage.ts'
import { isFolder } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Answer, Asked } from '../http/route.ts'

/** How full the file system is that holds a folder; of the whole, not of the caller's part (contract 8.2). */
export async function usage({ caller, path, signal }: Asked<typeof getUsage>): Promise<Answer> {
  const entry = await caller.storage.stat(path, { signal })
  if (entry.target?.kind === 'missing') throw new AppError('not-found')
  if (!isFolder(entry)) return { kind: 'json', json: { total: 0, used: 0 } satisfies Usage }
  const { totalBytes, usedBytes } = await caller.storage.usage(path, { signal })
  return { kind: 'json', json: { total: totalBytes, used: usedBytes } satisfies Usage }
}
