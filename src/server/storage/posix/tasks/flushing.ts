import { fsync, fsyncSync } from 'node:fs'
import { promisify } from 'node:util'
import { errnoOf, flushFolder, hold, opening, reopen, unflushable } from '../calls/descriptors.ts'
import type { Calls } from '../calls/calls.ts'
import { extOf } from '../calls/ext.ts'
import { createFolderFlushes } from '../writing.ts'

const fsyncAsync = promisify(fsync)

/** A thread waits so long itself; to have another wait costs more than that. */
const quickMs = 1

type Outcome = PromiseSettledResult<void>

/** Flushes files that were written together, and the folder that they went into. Settles, or rejects, with what the kernel says. */
export type Flusher = {
  /** What has to be on the disk before files have names. */
  readonly beforeNames: (descriptors: readonly number[]) => Promise<readonly Outcome[]>
  /** What is left to be flushed of files that had no name before. */
  readonly afterNames: (descriptors: readonly number[]) => Promise<readonly Outcome[]>
  /** Whether `afterNames` brings their names to the disk, so that their folder need not be flushed for them. */
  readonly bringsNames: boolean
  /** `key` is the same for every handle of the folder; whoever comes while it is being flushed has it flushed once more. */
  readonly folder: (key: string, handle: number) => Promise<void>
}

/** The disk of a folder, which is open. */
export type Disk = { readonly calls: Calls; readonly folder: number; readonly dev: bigint }

/**
 * One for each disk. As long as the disk is quick the thread flushes by itself, all at the same time where the kernel can. Where the
 * last flush took longer, or none has been seen, others wait for the disk, and the thread serves whoever comes.
 *
 * Ext with a journal has all of a file on the disk by one commit: its facts, its names, and the folders they are in. Only its bytes have
 * to be there before. Without a journal everything is written in any order, and a name that comes first shows what was in another file
 * before: so a file is flushed before it has its name, and once more with it, which the kernel counts in the file itself.
 */
export function createFlusher({ calls, folder, dev }: Disk): Flusher {
  const ext = extOf(folder, dev)
  let isQuick = false
  const timed = (startMs: number, count = 1): void =>
    void (isQuick = performance.now() - startMs < quickMs * Math.max(1, count))
  const folders = createFolderFlushes(waitForFolder)

  async function now(descriptors: readonly number[]): Promise<readonly Outcome[]> {
    const startMs = performance.now()
    const outcomes = flushAll(calls, descriptors)
    timed(startMs, descriptors.length)
    return outcomes
  }

  async function later(descriptor: number): Promise<Outcome> {
    const startMs = performance.now()
    const [outcome] = await Promise.allSettled([fsyncAsync(descriptor)])
    timed(startMs)
    return outcome
  }

  const flush = async (descriptors: readonly number[]): Promise<readonly Outcome[]> =>
    isQuick ? now(descriptors) : Promise.all(descriptors.map(later))

  return {
    async beforeNames(descriptors) {
      if (descriptors.length > 1) for (const descriptor of descriptors) calls.beginFlush(descriptor)
      const { writeOut } = calls
      if (ext !== 'journaled' || writeOut === null || !isQuick) return flush(descriptors)
      const startMs = performance.now()
      const outcomes = descriptors.map((descriptor) => outcomeOf(() => writeOut(descriptor)))
      timed(startMs, descriptors.length)
      return outcomes
    },
    afterNames: async (descriptors) => (ext === null ? descriptors.map(() => fine) : flush(descriptors)),
    bringsNames: ext === 'journaled',
    async folder(key, handle) {
      if (!isQuick) return folders(key, handle)
      const startMs = performance.now()
      flushFolder(handle)
      timed(startMs)
    },
  }
}

/** One that is alone is as soon flushed by itself. */
function flushAll({ flushEach }: Calls, descriptors: readonly number[]): readonly Outcome[] {
  if (flushEach === null || descriptors.length < 2)
    return descriptors.map((descriptor) => outcomeOf(() => fsyncSync(descriptor)))
  return flushEach(descriptors).map((failed) =>
    failed === null ? fine : { status: 'rejected', reason: failed },
  )
}

function outcomeOf(work: () => void): Outcome {
  try {
    work()
    return fine
  } catch (reason) {
    return { status: 'rejected', reason }
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
