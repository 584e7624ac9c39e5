import type { removeResource } from '../../shared/contract/resources.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { root } from '../../shared/domain/path.ts'
import { done, type Answer, type Asked } from '../http/route.ts'

/** Deletes an entry with everything below it. The root stays, however it is spelled: every spelling has become `/` by now. */
export async function remove({ caller, path, signal }: Asked<typeof removeResource>): Promise<Answer> {
  if (path === root) throw new AppError('forbidden')
  await caller.storage.remove(path, { recursive: true, signal })
  return done
}
