import { fsync, fsyncSync } from 'node:fs'
import { promisify } from 'node:util'
import {
  errnoOf,
  flushFolder,
  disposable,
  openFlags,
  reopen,
  ignoredFlushErrors,
} from '../calls/descriptors.ts'
import type { FileSystemCalls } from '../calls/file-system-calls.ts'
import { extKindOf } from '../calls/ext-journal.ts'
import { createFolderFlushes } from '../content/flushing.ts'

const fsyncAsync = promisify(fsync)

/**
 * Maximum duration in milliseconds of a fast flush. The worker thread runs fast flushes itself, because passing them to
 * Node's thread pool would take longer than the flush.
 */
const fastFlushMs = 1

type FileFlushOutcome = PromiseSettledResult<void>

/**
 * Flushes files that were written together, and the folder that contains them. A failed flush results in an outcome
 * with the kernel's error.
 */
export type FileFlusher = {
  /** Flushes the data that must be on the disk before the files get their names. */
  readonly beforeNames: (descriptors: readonly number[]) => Promise<readonly FileFlushOutcome[]>
  /** Flushes the remaining data of files that have just got their first name. */
  readonly afterNames: (descriptors: readonly number[]) => Promise<readonly FileFlushOutcome[]>
  /** True when `afterNames` also writes the names of the files to the disk, so that the folder need not be flushed. */
  readonly flushesNames: boolean
  /**
   * Flushes the folder. `key` must be the same for every handle of the folder. Callers that arrive during a flush share
   * the next flush.
   */
  readonly folder: (key: string, handle: number) => Promise<void>
}

/** An open folder, which identifies the disk to flush. `dev` is the device number of this disk. */
export type FlushTarget = { readonly calls: FileSystemCalls; readonly folder: number; readonly dev: bigint }

/**
 * Creates the flusher of one disk. While the disk is fast, the worker thread runs the flushes itself, for all files
 * concurrently if the kernel supports this. When the last flush was slow, or no flush has been measured yet, Node's
 * thread pool waits for the disk, and the worker thread can run other tasks.
 *
 * On ext with a journal, one commit writes the metadata of a file, its names and their folders to the disk. Only the
 * bytes of the file must be on the disk before this commit. Without a journal, writes reach the disk in any order, and
 * a name that arrives before the bytes would show the previous content of the disk blocks. The file is therefore
 * flushed before it gets its name. It is flushed once more afterwards, because the kernel stores the link count in the
 * file itself.
 */
export function createFlusher({ calls, folder, dev }: FlushTarget): FileFlusher {
  const ext = extKindOf(folder, dev)
  let isDiskFast = false
  const recordFlushDuration = (startMs: number, count = 1): void =>
    void (isDiskFast = performance.now() - startMs < fastFlushMs * Math.max(1, count))
  const flushSharedFolder = createFolderFlushes(waitForFolder)

  async function flushNow(descriptors: readonly number[]): Promise<readonly FileFlushOutcome[]> {
    const startMs = performance.now()
    const outcomes = flushAll(calls, descriptors)
    recordFlushDuration(startMs, descriptors.length)
    return outcomes
  }

  async function flushInThreadPool(descriptor: number): Promise<FileFlushOutcome> {
    const startMs = performance.now()
    const [outcome] = await Promise.allSettled([fsyncAsync(descriptor)])
    recordFlushDuration(startMs)
    return outcome
  }

  const flush = async (descriptors: readonly number[]): Promise<readonly FileFlushOutcome[]> =>
    isDiskFast ? flushNow(descriptors) : Promise.all(descriptors.map(flushInThreadPool))

  return {
    async beforeNames(descriptors) {
      if (descriptors.length > 1) for (const descriptor of descriptors) calls.startWriteback(descriptor)
      const { writeBack } = calls
      if (ext !== 'journaled' || writeBack === null || !isDiskFast) return flush(descriptors)
      const startMs = performance.now()
      const outcomes = descriptors.map((descriptor) => outcomeOf(() => writeBack(descriptor)))
      recordFlushDuration(startMs, descriptors.length)
      return outcomes
    },
    afterNames: async (descriptors) => (ext === null ? descriptors.map(() => succeeded) : flush(descriptors)),
    flushesNames: ext === 'journaled',
    async folder(key, handle) {
      if (!isDiskFast) return flushSharedFolder(key, handle)
      const startMs = performance.now()
      flushFolder(handle)
      recordFlushDuration(startMs)
    },
  }
}

/** Flushes all files. A single file is flushed with an ordinary fsync, which is as fast. */
function flushAll(
  { concurrentFlusher: flushFiles }: FileSystemCalls,
  descriptors: readonly number[],
): readonly FileFlushOutcome[] {
  if (flushFiles === null || descriptors.length < 2)
    return descriptors.map((descriptor) => outcomeOf(() => fsyncSync(descriptor)))
  return flushFiles
    .flush(descriptors)
    .map((failed) => (failed === null ? succeeded : { status: 'rejected', reason: failed }))
}

function outcomeOf(work: () => void): FileFlushOutcome {
  try {
    work()
    return succeeded
  } catch (reason) {
    return { status: 'rejected', reason }
  }
}

const succeeded: FileFlushOutcome = { status: 'fulfilled', value: undefined }

/** Flushes a folder as `flushFolder` does, but without blocking the thread, which serves other requests meanwhile. */
async function waitForFolder(handle: number): Promise<void> {
  try {
    using readable = disposable(reopen(handle, openFlags.folder))
    await fsyncAsync(readable.descriptor)
  } catch (error) {
    if (!ignoredFlushErrors.includes(errnoOf(error))) throw error
  }
}
