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
  /** True when missing parent folders are created. */
  readonly hasParents: boolean
  readonly signal: AbortSignal | undefined
}

type PendingWrite = SmallFileWrite & {
  readonly modifiedMs: number
  /** True when the caller no longer waits for the file. */
  isAborted: boolean
  /** Signals the abort to the thread that is writing the file. */
  onAbort: () => void
}

/** Maximum number of threads that write into one folder at the same time, and maximum number of files in one batch. */
const [threadsPerFolder, maxFilesPerBatch] = [2, 16]

/**
 * Creates a function that writes a small new file. When its promise resolves, the file is flushed and in place. Files
 * for the same folder that arrive while threads are busy with that folder are sent to the next free thread together,
 * which costs one message and one flush of the folder. A file is not put in place after its client or the server has
 * given up.
 */
export function createSmallFileWriter(
  context: StorageContext,
): (put: SmallFileWrite) => Promise<WrittenFile> {
  const { calls, modifiedMs } = context.volume
  const batchedWrite = createBatcher<PendingWrite, WrittenFile>({
    maxConcurrent: threadsPerFolder,
    maxBatchSize: maxFilesPerBatch,
    runBatch: async (files) => writeTogether(context, files),
    // A timeout means that the disk does not respond, so all waiting files fail as well.
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
 * Copies the bytes of all files into one new buffer. `Buffer.concat` is not used, because its result may share memory
 * with other buffers, and the whole underlying memory of a buffer is sent to the thread.
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
