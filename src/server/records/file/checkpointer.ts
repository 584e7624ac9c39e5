import { createSerialQueue } from '../../concurrency/serial-queue.ts'
import { createThreadPool, type ThreadPool } from '../../workers/thread-pool.ts'
import type { CheckpointTasks } from './checkpoint-thread.ts'

/**
 * Copies the write-ahead log into the database file soon after each write, so that the file alone holds the whole
 * state. People copy that one file while the server runs, or mount it alone into a container.
 */
export type Checkpointer = {
  /** Must be called after every change. `changesAccounts` is true for a change of users, settings or shares. */
  noteWrite(change: { readonly changesAccounts: boolean }): void
  /** Copies the log before it resolves. Nothing is thrown when this fails, because SQLite applies the log at the next start as well. */
  readonly checkpoint: () => Promise<void>
  /** Copies the log if anything was written, and stops the timer and the thread. */
  stop(): Promise<void>
}

export type CheckpointerDependencies = {
  readonly file: string
  /** Returns false while the file is missing or is another file. The log must not be copied into another file. */
  readonly isPresent: () => boolean
  /** Writes one line to the log of the server. */
  readonly log: (line: string) => void
  readonly threads: CheckpointThreads
}

/** The time in milliseconds from a write to the checkpoint. Writes within this time share one checkpoint. */
const delayMs = 1000
/** The same time after a change of users, settings or shares, which people expect in a copy that they make next. */
const accountDelayMs = 50
/** The time in milliseconds after which a failed checkpoint is tried again, for example when the disk was full. */
const retryMs = 30_000

/**
 * Interval in milliseconds at which the thread is ended when it had no checkpoint since the previous check. An idle server
 * writes about once a minute, such as the last use of a session, and its thread takes 11 MB until it ends. Starting the
 * thread takes 30 to 40 ms, so a server that writes every few seconds loses less than a hundredth of a processor.
 */
const idleCheckMs = 2000

/** The thread in which checkpoints run. */
export type CheckpointThreads = ThreadPool<CheckpointTasks>

/** Creates the thread in which checkpoints run. */
export const createCheckpointThread = (): CheckpointThreads =>
  createThreadPool<CheckpointTasks>({
    entry: new URL('./checkpoint-thread.ts', import.meta.url),
    size: 1,
    idleCheckMs,
  })

export function createCheckpointer({
  file,
  isPresent,
  log,
  threads,
}: CheckpointerDependencies): Checkpointer {
  let timer: NodeJS.Timeout | null = null
  let dueAtMs = Number.POSITIVE_INFINITY
  let isStopped = false
  let hasFailed = false
  let hasWritten = false
  const inTurn = createSerialQueue()

  function schedule(inMs: number): void {
    const atMs = performance.now() + inMs
    if (isStopped || atMs >= dueAtMs) return
    if (timer !== null) clearTimeout(timer)
    dueAtMs = atMs
    timer = setTimeout(() => void start(), inMs).unref()
  }

  function start(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    dueAtMs = Number.POSITIVE_INFINITY
    return inTurn(checkpoint)
  }

  async function checkpoint(): Promise<void> {
    if (!isPresent()) return
    try {
      const isComplete = await threads.run('checkpoint', { file })
      if (!isComplete) schedule(delayMs)
      hasFailed = false
    } catch (error) {
      if (isStopped) return
      if (!hasFailed)
        log(`Warning: changes wait in ${file}-wal, and a copy of ${file} alone lacks them: ${String(error)}`)
      hasFailed = true
      schedule(retryMs)
    }
  }

  return {
    noteWrite({ changesAccounts }) {
      hasWritten = true
      schedule(changesAccounts ? accountDelayMs : delayMs)
    },
    checkpoint: start,
    async stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await (hasWritten ? start() : inTurn(async () => {}))
      await threads.close()
    },
  }
}
