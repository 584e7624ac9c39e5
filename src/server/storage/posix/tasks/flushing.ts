import { fsync, fsyncSync } from 'node:fs'
import { promisify } from 'node:util'
import { flushFolder, hold, errnoOf, opening, reopen, unflushable } from '../calls/descriptors.ts'
import type { Calls } from '../calls/calls.ts'
import { createFolderFlushes } from '../writing.ts'

const fsyncAsync = promisify(fsync)

/** A thread waits so long itself; to have another wait costs more than that. */
const quickMs = 1

/** Flushes files that were written together, and the folder that they went into. Rejects, or settles, with what the kernel says. */
export type Flusher = {
  readonly files: (descriptors: readonly number[]) => Promise<readonly PromiseSettledResult<void>[]>
  /** `key` is the same for every handle of the folder; whoever comes while it is being flushed has it flushed once more. */
  readonly folder: (key: string, handle: number) => Promise<void>
}

/**
 * One for each disk. As long as the disk is quick the thread flushes by itself, one file after the other: all have begun to be written
 * out by then, and a journal that is written for the first has the others in it. Where the last flush took longer, or none has been
 * seen, others wait for the disk, side by side, and the thread serves whoever comes.
 */
export function createFlusher({ beginFlush }: Pick<Calls, 'beginFlush'>): Flusher {
  let isQuick = false
  const timed = (startMs: number): void => void (isQuick = performance.now() - startMs < quickMs)
  const folders = createFolderFlushes(waitForFolder)

  function flushNow(descriptor: number): PromiseSettledResult<void> {
    const startMs = performance.now()
    try {
      fsyncSync(descriptor)
      return { status: 'fulfilled', value: undefined }
    } catch (reason) {
      return { status: 'rejected', reason }
    } finally {
      timed(startMs)
    }
  }

  async function flushLater(descriptor: number): Promise<PromiseSettledResult<void>> {
    const startMs = performance.now()
    const [outcome] = await Promise.allSettled([fsyncAsync(descriptor)])
    timed(startMs)
    return outcome
  }

  return {
    files: async (descriptors) => {
      if (descriptors.length > 1) for (const descriptor of descriptors) beginFlush(descriptor)
      return Promise.all(
        descriptors.map(async (descriptor) => (isQuick ? flushNow(descriptor) : flushLater(descriptor))),
      )
    },
    async folder(key, handle) {
      if (!isQuick) return folders(key, handle)
      const startMs = performance.now()
      flushFolder(handle)
      timed(startMs)
    },
  }
}

/** As `flushFolder`, while the thread does something else. */
async function waitForFolder(handle: number): Promise<void> {
  try {
    using readable = hold(reopen(handle, opening.folder))
    await fsyncAsync(readable.descriptor)
  } catch (error) {
    if (!unflushable.includes(errnoOf(error))) throw error
  }
}
