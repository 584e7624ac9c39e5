import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { Storage } from '../storage/port.ts'

export type TreeReadingDependencies = {
  /** Limits how many trees of one user are read at the same time. */
  readonly treeLimiter: KeyedLimiter
}

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
  { user, storage }: Pick<Caller, 'user' | 'storage'>,
  { path, ...options }: TreeToWalk,
): ReturnType<Storage['walk']> {
  const release = await treeLimiter.acquire(user.id, options.signal)
  try {
    yield* storage.walk(path, options)
  } finally {
    release()
  }
}
