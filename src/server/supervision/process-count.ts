import { availableParallelism } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { memoryLimitBytes } from '../config/memory-budget.ts'
import { UsageError } from '../config/usage-error.ts'
import type { Config } from '../config/serving-options.ts'

/** The highest number of processes that `auto` chooses. Beyond it, the disk and the database are the limit. */
const mostProcesses = 4
/** The memory in bytes that `auto` wants for each process: a busy one takes about half of it, besides its converters. */
const bytesPerProcess = 512 * 1024 * 1024
/** The smallest heap of a process in MiB. A server needs about a third of it for its own. */
const minHeapMiB = 256

/** The processors and the memory of the machine, or of the container. */
export type Machine = { readonly processors: number; readonly memoryBytes: number }

export const thisMachine = (): Machine => ({
  processors: availableParallelism(),
  memoryBytes: memoryLimitBytes(),
})

/**
 * Returns the number of processes that serve. `auto` stands for as many as there are processors, at most four, and fewer
 * where memory is small. Throws a `UsageError` for several processes with a unix socket, which they cannot share.
 */
export function processCountOf(
  { processes, socket }: Pick<Config, 'processes' | 'socket'>,
  { processors, memoryBytes }: Machine,
): number {
  if (socket !== '') {
    if (processes !== 'auto' && processes > 1)
      throw new UsageError('several processes (--processes) cannot share a unix socket (--socket)')
    return 1
  }
  if (processes !== 'auto') return processes
  const forMemory = Math.floor(memoryBytes / bytesPerProcess)
  return Math.max(1, Math.min(processors, mostProcesses, forMemory))
}

/** Returns the heap of each of several processes in MiB, which together have the heap that one would have. */
export const heapMiBOf = (count: number): number =>
  Math.max(minHeapMiB, Math.floor(getHeapStatistics().heap_size_limit / count / 1024 / 1024))
