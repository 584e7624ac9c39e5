import { codeOf } from '../../../shared/domain/failure.ts'
import { nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { createBatcher } from '../../concurrency/batcher.ts'
import { deserializeError } from '../../workers/serialized-error.ts'
import { refuseDeniedAt, runTask, type StorageContext } from './storage-context.ts'
import type { WrittenFile, WriteOutcome, SmallFilesInput } from './tasks/write-small-files.ts'

/** A small new file all of whose bytes have arrived. */
export type SmallFileWrite = {
  readonly path: Path
  readonly bytes: Uint8Array
  /** Creates missing parent folders. */
  readonly hasParents: boolean
  readonly signal: AbortSignal | undefined
}

type PendingWrite = SmallFileWrite & {
  readonly modifiedMs: number
  /** True when the caller no longer waits for the file. */
  isAborted: boolean
  /** Tells the thread that is writing the file that it was aborted. */
  onAbort: () => void
}

/** Number of threads that write into one folder at the same time, and number of files in one batch. */
const [threadsPerFolder, maxFilesPerBatch] = [2, 16]

/**
 * Creates a function that writes small new files into their folders; each file is flushed and in place when the call
 * resolves. Files for the same folder that arrive while threads are busy with it go to the next free thread together,
 * which costs one message and one flush of the folder. When the client or the server gives up, no file is put in place
 * afterwards.
 */
export function createSmallFileWriter(
  context: StorageContext,
): (put: SmallFileWrite) => Promise<WrittenFile> {
  const { calls, modifiedMs } = context.volume
  const batchedWrite = createBatcher<PendingWrite, WrittenFile>({
    maxConcurrent: threadsPerFolder,
    maxBatchSize: maxFilesPerBatch,
    runBatch: async (files) => writeTogether(context, files),
    // A timeout means that the disk does not answer, so it applies to all waiting files.
    failsQueue: (error) => codeOf(error) === 'timeout',
  })
  return async (put) => {
    const { path, hasParents, signal } = put
    refuseDeniedAt(context, path)
    const pending: PendingWrite = {
      ...put,
      modifiedMs: modifiedMs(),
      isAborted: signal?.aborted === true,
      onAbort: () => {},
    }
    const abort = (): void => {
      pending.isAborted = true
      pending.onAbort()
    }
    signal?.addEventListener('abort', abort, { once: true })
    const line = `${hasParents} ${parentOf(path)}`
    try {
      return await calls(async () => batchedWrite(line, pending), { isFlushing: true })
    } catch (error) {
      abort()
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }
}

/** Sends one or more files of the same folder to a thread. */
async function writeTogether(
  context: StorageContext,
  pending: readonly PendingWrite[],
): Promise<PromiseSettledResult<WrittenFile>[]> {
  const { dirMode, fileMode } = context.volume
  const [{ path, hasParents }] = pending as readonly [PendingWrite]
  const aborted = new Int32Array(new SharedArrayBuffer(pending.length * Int32Array.BYTES_PER_ELEMENT))
  for (const [at, one] of pending.entries()) {
    one.onAbort = () => void Atomics.store(aborted, at, 1)
    if (one.isAborted) one.onAbort()
  }
  const input: SmallFilesInput = {
    path,
    dirMode: hasParents ? dirMode : null,
    fileMode,
    files: pending.map((one) => ({
      name: nameOf(one.path),
      sizeBytes: one.bytes.length,
      modifiedMs: one.modifiedMs,
    })),
    bytes: concatenated(pending),
    aborted,
  }
  return (await runTask<readonly WriteOutcome[]>(context, { task: 'writeSmallFiles', input })).map(
    settledResultOf,
  )
}

/**
 * Copies the bytes of all files into a buffer of their own. The whole underlying memory of a buffer is sent to a
 * thread, and `Buffer.concat` may use memory that it shares with other buffers.
 */
function concatenated(files: readonly SmallFileWrite[]): Uint8Array {
  const all = new Uint8Array(files.reduce((sum, { bytes }) => sum + bytes.length, 0))
  let at = 0
  for (const { bytes } of files) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all
}

const settledResultOf = (outcome: WriteOutcome): PromiseSettledResult<WrittenFile> =>
  'failure' in outcome
    ? { status: 'rejected', reason: deserializeError(outcome.failure) }
    : { status: 'fulfilled', value: outcome }
