import { codeOf } from '../../../shared/domain/failure.ts'
import { nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { createBatcher } from '../../concurrency/batcher.ts'
import { deserializeError } from '../../workers/serialized-error.ts'
import type { CommitOptions } from '../change.ts'
import { refuseDeniedAt, runTask, type StorageContext } from './storage-context.ts'
import type { WrittenFile, WriteOutcome, SmallFilesInput } from './tasks/write-small-files.ts'

/** A request to create a small file whose bytes are all in memory. */
export type SmallFileWriteRequest = CommitOptions & {
  readonly path: Path
  readonly bytes: Uint8Array
  /** True when missing parent folders must be created. */
  readonly hasParents: boolean
  /** The modification time of the file in ms since 1970. Undefined stands for the current time. */
  readonly modifiedMs: number | undefined
  readonly signal: AbortSignal | undefined
}

type PendingSmallFileWrite = SmallFileWriteRequest & {
  readonly modifiedMs: number
  /** True after the request was aborted. The file is then not put in place. */
  isAborted: boolean
  /** Signals the abort to the thread that is writing the file. */
  onAbort: () => void
}

/**
 * Maximum number of threads that write into one folder at the same time, and maximum number of files in one batch. With
 * one thread, with three threads or with smaller batches, uploads of many small files were slower (docs/decisions, 30).
 */
const [maxThreadsPerFolder, maxFilesPerBatch] = [2, 16]

/**
 * Creates a function that writes a small new file. When its promise resolves, the file is flushed and in place.
 * Requests for the same folder that arrive while threads are busy with this folder are sent to the next free thread as
 * one batch, which takes one message and one flush of the folder. When a request is aborted or times out, its file is
 * not put in place afterwards.
 */
export function createSmallFileWriter(
  context: StorageContext,
): (put: SmallFileWriteRequest) => Promise<WrittenFile> {
  const { calls, nextModifiedMs } = context.volume
  const batchedWrite = createBatcher<PendingSmallFileWrite, WrittenFile>({
    maxConcurrent: maxThreadsPerFolder,
    maxBatchSize: maxFilesPerBatch,
    runBatch: async (files) => writeBatch(context, files),
    // A timeout means that the disk does not respond, so all waiting files fail as well.
    failsQueue: (error) => codeOf(error) === 'timeout',
  })
  return async (request) => {
    const { path, hasParents, signal } = request
    refuseDeniedAt(context, path)
    const pending: PendingSmallFileWrite = {
      ...request,
      modifiedMs: request.modifiedMs ?? nextModifiedMs(),
      isAborted: signal?.aborted === true,
      onAbort: () => {},
    }
    const abort = (): void => {
      pending.isAborted = true
      pending.onAbort()
    }
    signal?.addEventListener('abort', abort, { once: true })
    const queueKey = `${hasParents} ${parentOf(path)}`
    try {
      await request.beforeCommit?.({ sizeBytes: request.bytes.length, replacedBytes: async () => 0 })
      return await calls(async () => batchedWrite(queueKey, pending), { isFlushing: true })
    } catch (error) {
      abort()
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }
}

/** Sends one or more files of the same folder to a thread. */
async function writeBatch(
  context: StorageContext,
  pending: readonly PendingSmallFileWrite[],
): Promise<PromiseSettledResult<WrittenFile>[]> {
  const { dirMode, fileMode } = context.volume
  const [{ path, hasParents }] = pending as readonly [PendingSmallFileWrite]
  const aborted = new Int32Array(new SharedArrayBuffer(pending.length * Int32Array.BYTES_PER_ELEMENT))
  for (const [index, write] of pending.entries()) {
    write.onAbort = () => void Atomics.store(aborted, index, 1)
    if (write.isAborted) write.onAbort()
  }
  const input: SmallFilesInput = {
    path,
    dirMode: hasParents ? dirMode : null,
    fileMode,
    files: pending.map((write) => ({
      name: nameOf(write.path),
      sizeBytes: write.bytes.length,
      modifiedMs: write.modifiedMs,
    })),
    bytes: concatenateBytes(pending),
    aborted,
  }
  return (await runTask(context, { task: 'writeSmallFiles', input })).map(settledResultOf)
}

/**
 * Copies the bytes of all files into one new buffer. `Buffer.concat` is not used, because its result may share memory
 * with other buffers, and the whole underlying memory of a buffer is sent to the thread.
 */
function concatenateBytes(files: readonly SmallFileWriteRequest[]): Uint8Array {
  const all = new Uint8Array(files.reduce((sum, { bytes }) => sum + bytes.length, 0))
  let offset = 0
  for (const { bytes } of files) {
    all.set(bytes, offset)
    offset += bytes.length
  }
  return all
}

const settledResultOf = (outcome: WriteOutcome): PromiseSettledResult<WrittenFile> =>
  'failure' in outcome
    ? { status: 'rejected', reason: deserializeError(outcome.failure) }
    : { status: 'fulfilled', value: outcome }
