import { fsyncSync } from 'node:fs'
import type { ConcurrentFlusher } from './file-system-calls.ts'
import { systemError, type LoadedKernel } from './kernel.ts'

/** Maximum number of flushes in flight. A longer list of files is flushed in several rounds of this size. */
const maxInFlight = 16
/** Sizes in bytes of `struct iocb`, of a pointer to it, and of `struct io_event` (linux/aio_abi.h). */
const [iocbBytes, pointerBytes, eventBytes] = [64, 8, 32]
const [iocbsFrom, pointersFrom] = [8, 8 + maxInFlight * iocbBytes]
const eventsFrom = pointersFrom + maxInFlight * pointerBytes
/** Operation code IOCB_CMD_FSYNC of io_submit(2). */
const fsyncOperation = 2
/** Error number EINTR: a signal interrupted the system call. */
const interruptedErrno = 4

/**
 * Creates a flusher that submits several fsync requests in one system call (io_submit(2)), so that the disk empties its
 * cache once or twice instead of once for each file. Returns null when the kernel does not support this call. Each
 * thread creates a separate flusher and releases it before the thread ends.
 */
export function createConcurrentFlusher({ kernel, number }: LoadedKernel): ConcurrentFlusher | null {
  const memory = Buffer.alloc(eventsFrom + maxInFlight * eventBytes)
  const start = kernel.addressOf(memory)
  if (kernel.ioSetup(number.ioSetup, maxInFlight, start) < 0) return null
  const context = memory.readBigUInt64LE(0)
  for (let at = 0; at < maxInFlight; at += 1) {
    const iocb = iocbsFrom + at * iocbBytes
    memory.writeBigUInt64LE(BigInt(at), iocb)
    memory.writeUInt16LE(fsyncOperation, iocb + 16)
    memory.writeBigUInt64LE(BigInt(start + iocb), pointersFrom + at * pointerBytes)
  }

  /**
   * Submits one fsync request for each file. Returns how many files the kernel accepted, counted from the first file.
   */
  function submit(files: readonly number[]): number {
    for (const [at, file] of files.entries()) memory.writeUInt32LE(file, iocbsFrom + at * iocbBytes + 20)
    return Math.max(0, kernel.ioSubmit(number.ioSubmit, context, files.length, start + pointersFrom))
  }

  /**
   * Collects the outcomes of `count` submitted flushes, which complete in any order. Returns null when the kernel
   * cannot report them.
   */
  function collect(count: number): readonly (Error | null)[] | null {
    const outcomes = Array.from({ length: count }, (): Error | null => null)
    for (let left = count; left > 0;) {
      const taken = kernel.ioGetevents(number.ioGetevents, context, left, left, start + eventsFrom, 0)
      if (taken < 0 && kernel.errno() !== interruptedErrno) return null
      for (let at = 0; at < taken; at += 1) {
        const event = eventsFrom + at * eventBytes
        const result = Number(memory.readBigInt64LE(event + 16))
        outcomes[Number(memory.readBigUInt64LE(event))] = result < 0 ? systemError(-result) : null
      }
      left -= Math.max(0, taken)
    }
    return outcomes
  }

  /** False after the kernel has failed once to report outcomes. All later files are then flushed one by one. */
  let canCollect = true

  /**
   * Flushes up to `maxInFlight` files. A file that the kernel did not accept, or whose outcome it did not report, is
   * flushed with an ordinary fsync call, which also reports errors.
   */
  function flushSome(files: readonly number[]): readonly (Error | null)[] {
    const collected = canCollect ? collect(submit(files)) : null
    canCollect = collected !== null
    return [...(collected ?? []), ...files.slice(collected?.length ?? 0).map(flushOne)]
  }

  return {
    flush(files) {
      const outcomes: (Error | null)[] = []
      for (let at = 0; at < files.length; at += maxInFlight)
        outcomes.push(...flushSome(files.slice(at, at + maxInFlight)))
      return outcomes
    },
    release: () => void kernel.ioDestroy(number.ioDestroy, context),
  }
}

function flushOne(file: number): Error | null {
  try {
    fsyncSync(file)
    return null
  } catch (error) {
    return error as Error
  }
}
