import type { Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { ResponseMemory } from '../concurrency/reading-memory.ts'
import type { KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { Storage } from '../storage/port.ts'

export type TreeReadingDependencies = {
  /** Limits how many trees of one user are read at the same time. */
  readonly treeLimiter: KeyedLimiter
}

/** The bytes of the entries that were found in advance: 5 MiB (`concurrentTreeReads`). */
const walkBytes = 5 * 1024 * 1024

/** A tree to read, and the memory of the response for which it is read. */
export type TreeToRead = {
  readonly path: Path
  readonly reading: ResponseMemory
  readonly signal: AbortSignal
}

type TreeToWalk = TreeToRead & {
  readonly onUnreachable?: (path: Path) => void
}

/**
 * Yields everything below a folder. Further walks of a user wait until an earlier one ends, because a walk keeps the entries
 * that were found in advance in memory until the client has read them, and a client may read slowly.
 */
export async function* walkInTurn(
  { treeLimiter }: TreeReadingDependencies,
  { user, storage }: Actor,
  { path, reading, ...options }: TreeToWalk,
): ReturnType<Storage['walk']> {
  const release = await treeLimiter.acquire(user.id, options.signal)
  try {
    if (!reading.hold(walkBytes)) await reading.wait(walkBytes)
    yield* storage.walk(path, options)
  } finally {
    release()
  }
}
