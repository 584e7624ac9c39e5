import { fsync, fsyncSync, statfsSync } from 'node:fs'
import { promisify } from 'node:util'
import {
  errnoOf,
  flushFolder,
  hold,
  opening,
  pathOfDescriptor,
  reopen,
  unflushable,
} from '../calls/descriptors.ts'
import type { Calls } from '../calls/calls.ts'
import { createFolderFlushes } from '../writing.ts'

const fsyncAsync = promisify(fsync)

/** A thread waits so long itself; to have another wait costs more than that. */
const quickMs = 1

/** ext2, ext3, ext4 (statfs(2)) */
const extType = 0xef53

type Outcome = PromiseSettledResult<void>

/** Flushes files that were written together, and the folder that they went into. Settles, or rejects, with what the kernel says. */
export type Flusher = {
  /** What has to be on the disk before files have names. */
  readonly beforeNames: (descriptors: readonly number[]) => Promise<readonly Outcome[]>
  /** What is left to be flushed of files that had no name before. */
  readonly afterNames: (descriptors: readonly number[]) => Promise<readonly Outcome[]>
  /** `key` is the same for every handle of the folder; whoever comes while it is being flushed has it flushed once more. */
  readonly folder: (key: string, handle: number) => Promise<void>
}

/**
 * One for each disk. As long as the disk is quick the thread flushes by itself, one file after the other: all have begun to be written
 * out by then, and a journal that is written for the first has the others in it. Where the last flush took longer, or none has been
 * seen, others wait for the disk, side by side, and the thread serves whoever comes.
 *
 * Ext writes what it knows of a file, its names counted, in the order in which it came to know it, so only the bytes have to be there
 * before a name. It counts the name of a file that had none apart from its folder: a file that was flushed before that is lost with
 * the power, where no journal has both.
 */
export function createFlusher(calls: Calls, folder: number): Flusher {
  const isExt = statfsSync(pathOfDescriptor(folder)).type === extType
  let isQuick = false
  const timed = (startMs: number): void => void (isQuick = performance.now() - startMs < quickMs)
  const folders = createFolderFlushes(waitForFolder)

  function now(flush: (descriptor: number) => void, descriptor: number): Outcome {
    const startMs = performance.now()
    try {
      flush(descriptor)
      return { status: 'fulfilled', value: undefined }
    } catch (reason) {
      return { status: 'rejected', reason }
    } finally {
      timed(startMs)
    }
  }

  async function later(descriptor: number): Promise<Outcome> {
    const startMs = performance.now()
    const [outcome] = await Promise.allSettled([fsyncAsync(descriptor)])
    timed(startMs)
    return outcome
  }

  const each = async (
    descriptors: readonly number[],
    flush: (descriptor: number) => void,
  ): Promise<readonly Outcome[]> =>
    Promise.all(descriptors.map(async (descriptor) => (isQuick ? now(flush, descriptor) : later(descriptor))))

  return {
    beforeNames: async (descriptors) => {
      if (descriptors.length > 1) for (const descriptor of descriptors) calls.beginFlush(descriptor)
      return each(descriptors, (isExt && calls.writeOut) || fsyncSync)
    },
    afterNames: async (descriptors) => (isExt ? each(descriptors, fsyncSync) : descriptors.map(() => fine)),
    async folder(key, handle) {
      if (!isQuick) return folders(key, handle)
      const startMs = performance.now()
      flushFolder(handle)
      timed(startMs)
    },
  }
}

const fine: Outcome = { status: 'fulfilled', value: undefined }

/** As `flushFolder`, while the thread does something else. */
async function waitForFolder(handle: number): Promise<void> {
  try {
    using readable = hold(reopen(handle, opening.folder))
    await fsyncAsync(readable.descriptor)
  } catch (error) {
    if (!unflushable.includes(errnoOf(error))) throw error
  }
}
