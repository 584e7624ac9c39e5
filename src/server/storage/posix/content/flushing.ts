import { errnoOf, ignoredFlushErrors } from '../calls/descriptors.ts'
import { close, constants, fsync, open } from 'node:fs'
import { promisify } from 'node:util'
import { withFailures } from '../calls/system-failures.ts'
import type { WritableFile } from './buffered-writer.ts'

const closeAsync = promisify(close)
const fsyncAsync = promisify(fsync)
const openAsync = promisify(open)

/** Flushes a file in Node's thread pool and translates system errors. */
export async function flushFile({ descriptor, calls, lease }: WritableFile): Promise<void> {
  await withFailures(async () => calls(async () => fsyncAsync(descriptor), { lease, isFlushing: true }))
}

/**
 * A function that flushes a folder. `key` identifies the folder, and concurrent calls with the same key share flushes.
 */
export type FolderFlusher<T = WritableFile> = (key: string, folder: T) => Promise<void>
/**
 * The flushes of one folder. `now` is the flush that is running. `next` is the flush that starts after `now`, for all
 * callers that have arrived since `now` started.
 */
type FolderFlushState = { readonly now: Promise<void>; next: Promise<void> | null }

/**
 * Creates a function that shares flushes of the same folder. A flush that has already started may miss later changes,
 * so all callers that arrive while it runs share one flush that starts after it. The shared flush uses the handle of
 * the first of these callers. That handle stays open, because its caller waits for the shared flush as well.
 */
export function createFolderFlushes<T>(flush: (folder: T) => Promise<void>): FolderFlusher<T> {
  const byFolder = new Map<string, FolderFlushState>()

  async function begin(key: string, folder: T): Promise<void> {
    const flushing: FolderFlushState = { now: flush(folder), next: null }
    byFolder.set(key, flushing)
    try {
      await flushing.now
    } finally {
      if (flushing.next === null) byFolder.delete(key)
    }
  }

  return async (key, folder) => {
    const flushing = byFolder.get(key)
    if (flushing === undefined) return begin(key, folder)
    const after = (): Promise<void> => begin(key, folder)
    return (flushing.next ??= flushing.now.then(after, after))
  }
}

/**
 * Flushes a folder that is open as an O_PATH handle, in Node's thread pool. Errors of network mounts that do not
 * support flushing folders are ignored.
 */
export async function flushFolderOf({ descriptor, calls, lease }: WritableFile): Promise<void> {
  await calls(async () => flushFolder(descriptor), { lease, isFlushing: true })
}

async function flushFolder(handle: number): Promise<void> {
  try {
    const descriptor = await openAsync(`/proc/self/fd/${handle}`, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      await fsyncAsync(descriptor)
    } finally {
      await closeAsync(descriptor)
    }
  } catch (error) {
    if (!ignoredFlushErrors.includes(errnoOf(error))) throw error
  }
}
