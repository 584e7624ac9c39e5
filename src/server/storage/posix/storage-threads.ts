import type { HangLimits } from '../../workers/hang-detection.ts'
import { createThreadPool, type ThreadPool } from '../../workers/thread-pool.ts'
import type { StorageTasks, StorageThreadData } from './thread.ts'

/** The threads in which the tasks of volumes run. */
export type StorageThreads = ThreadPool<StorageTasks>

/** The time in milliseconds after which a hanging system call fails with `timeout`, unless an option changes it. */
export const defaultDeadlineMs = 30_000

type StorageThreadOptions = StorageThreadData & {
  /** Number of threads while no system call hangs; 4 by default. */
  readonly size?: number | undefined
  readonly deadlineMs?: number
  /** Interval in milliseconds at which idle threads are ended; 15 s by default. */
  readonly idleCheckMs?: number | undefined
}

/**
 * Creates the pool of threads in which a volume runs its tasks. Each task gets its root with its context, so volumes
 * with the same options can share a pool.
 */
export const createStorageThreads = ({
  calls,
  size = 4,
  deadlineMs = defaultDeadlineMs,
  idleCheckMs,
}: StorageThreadOptions): StorageThreads =>
  createThreadPool<StorageTasks>({
    entry: new URL('./thread.ts', import.meta.url),
    size,
    data: { calls } satisfies StorageThreadData,
    hangLimits: hangLimitsOf(deadlineMs),
    idleCheckMs,
  })

/**
 * Derives the pool's limits from the deadline (docs/decisions, 21). A thread without progress stops receiving new work
 * long before its current tasks fail with `timeout`.
 */
const hangLimitsOf = (deadlineMs: number): HangLimits => ({
  slowMs: Math.min(500, deadlineMs / 4),
  deadlineMs,
  maxSlowPerResource: 8,
  maxThreads: 24,
})
