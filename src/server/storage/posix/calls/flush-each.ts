import { fsyncSync } from 'node:fs'
import { systemError, type LoadedKernel } from './kernel.ts'

/** Flushes files side by side; gives what each failed with, or null, in their order. */
export type FlushEach = (files: readonly number[]) => readonly (Error | null)[]

/** Flushes that may be under way. */
const most = 16
/** `struct iocb`, a pointer to one, and `struct io_event` (linux/aio_abi.h) */
const [orderBytes, pointerBytes, eventBytes] = [64, 8, 32]
const [ordersFrom, pointersFrom] = [8, 8 + most * orderBytes]
const eventsFrom = pointersFrom + most * pointerBytes
/** IOCB_CMD_FSYNC */
const flushing = 2
/** EINTR */
const interrupted = 4

/**
 * Has the kernel flush files at the same time (io_submit(2)), so that the disk flushes what it holds once or twice and not once for
 * each. Null where that cannot be had. One for each thread: the kernel takes back what it keeps for it when the process ends.
 */
export function createFlushEach({ kernel, number }: LoadedKernel): FlushEach | null {
  const memory = Buffer.alloc(eventsFrom + most * eventBytes)
  const start = kernel.addressOf(memory)
  if (kernel.ioSetup(number.ioSetup, most, start) < 0) return null
  const context = memory.readBigUInt64LE(0)
  for (let at = 0; at < most; at += 1) {
    const order = ordersFrom + at * orderBytes
    memory.writeBigUInt64LE(BigInt(at), order)
    memory.writeUInt16LE(flushing, order + 16)
    memory.writeBigUInt64LE(BigInt(start + order), pointersFrom + at * pointerBytes)
  }

  /** How many of the first of these are under way then. */
  function begin(files: readonly number[]): number {
    for (const [at, file] of files.entries()) memory.writeUInt32LE(file, ordersFrom + at * orderBytes + 20)
    return Math.max(0, kernel.ioSubmit(number.ioSubmit, context, files.length, start + pointersFrom))
  }

  /** Gives the outcomes of so many, which come in any order; null where the kernel does not tell them. */
  function take(count: number): readonly (Error | null)[] | null {
    const outcomes = Array.from({ length: count }, (): Error | null => null)
    for (let left = count; left > 0;) {
      const taken = kernel.ioGetevents(number.ioGetevents, context, left, left, start + eventsFrom, 0)
      if (taken < 0 && kernel.errno() !== interrupted) return null
      for (let at = 0; at < taken; at += 1) {
        const event = eventsFrom + at * eventBytes
        const result = Number(memory.readBigInt64LE(event + 16))
        outcomes[Number(memory.readBigUInt64LE(event))] = result < 0 ? systemError(-result) : null
      }
      left -= Math.max(0, taken)
    }
    return outcomes
  }

  let isTold = true

  /** What the kernel does not take, or does not tell of, is flushed the ordinary way; that tells why, too. */
  function flushSome(files: readonly number[]): readonly (Error | null)[] {
    const told = isTold ? take(begin(files)) : null
    isTold = told !== null
    return [...(told ?? []), ...files.slice(told?.length ?? 0).map(flushOne)]
  }

  return (files) => {
    const outcomes: (Error | null)[] = []
    for (let at = 0; at < files.length; at += most) outcomes.push(...flushSome(files.slice(at, at + most)))
    return outcomes
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
