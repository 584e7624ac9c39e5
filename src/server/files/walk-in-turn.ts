import type { listBelow } from '../../shared/contract/resources.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { OperationRequest } from '../http/route.ts'
import type { Storage } from '../storage/port.ts'

export type TreeReadingDependencies = {
  /** Limits how many trees of one user are read at the same time. */
  readonly treeLimiter: KeyedLimiter
}

/** The request for which a tree is read. */
export type TreeClient = Pick<OperationRequest<typeof listBelow>, 'caller' | 'reading'>

/** The bytes of the entries that were found in advance: 5 MiB (`concurrentTreeReads`). */
const walkBytes = 5 * 1024 * 1024

type TreeToWalk = {
  readonly path: Path
  readonly signal: AbortSignal
  readonly onUnreachable?: (path: Path) => void
}

/**
 * Yields everything below a folder. Further walks of a user wait until an earlier one ends, because a walk keeps the entries
 * that were found in advance in memory until the client has read them, and a client may read slowly.
 */
export async function* walkInTurn(
  { treeLimiter }: TreeReadingDependencies,
  { caller: { user, storage }, reading }: TreeClient,
  { path, ...options }: TreeToWalk,
): ReturnType<Storage['walk']> {
  const release = await treeLimiter.acquire(user.id, options.signal)
  try {
    if (!reading.hold(walkBytes)) await reading.wait(walkBytes)
    yield* storage.walk(path, options)
  } finally {
    release()
  }
}
