import type { Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { ShareStore } from '../records/share-store.ts'
import { ownShareAt } from './own-share.ts'
import type { RunningReceptions } from './running-receptions.ts'

export type EndShareDependencies = {
  readonly shares: Pick<ShareStore, 'find' | 'remove'>
  readonly runningReceptions: Pick<RunningReceptions, 'list' | 'end'>
}

/** Ends a share of the actor, or any share for an administrator, with the files that guests are sending to it. */
export async function endShare(
  { shares, runningReceptions }: EndShareDependencies,
  actor: Actor,
  path: Path,
): Promise<void> {
  const { hash } = await ownShareAt(shares, actor, path)
  await shares.remove(hash)
  for (const { id } of runningReceptions.list(hash)) runningReceptions.end(hash, id, 'not-found')
}
