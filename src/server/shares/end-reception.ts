import { AppError } from '../../shared/domain/failure.ts'
import { nameOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { ShareStore } from '../records/share-store.ts'
import { ownShareAt } from './own-share.ts'
import type { RunningReceptions } from './running-receptions.ts'

export type EndReceptionDependencies = {
  readonly shares: Pick<ShareStore, 'find'>
  readonly runningReceptions: Pick<RunningReceptions, 'end'>
}

/**
 * Ends the reception of a file that a guest is sending to a share of the actor, or to any share for an administrator.
 * Nothing of the file stays. Throws `not-found` when the file has arrived meanwhile.
 */
export async function endRunningReception(
  { shares, runningReceptions }: EndReceptionDependencies,
  actor: Actor,
  path: Path,
): Promise<void> {
  const parent = parentOf(path)
  const { hash } = await ownShareAt(shares, actor, parent === root ? path : parent)
  if (!runningReceptions.end(hash, nameOf(path))) throw new AppError('not-found')
}
