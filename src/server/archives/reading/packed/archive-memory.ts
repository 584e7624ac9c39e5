import { type ByteBudget, type ByteReservation, createByteBudget } from '../../../concurrency/byte-budget.ts'

/** The share of the heap that all archives together may fill, so that the rest of the server keeps the larger part. */
const heapShare = 1 / 3

/**
 * Creates the budget of the paths and other facts of members that are in memory, for all archives that are read. One
 * person has half of it. `heapBytes` is the limit of the heap of this process, and `maxBytes` the largest total.
 */
export function createArchiveMemory(heapBytes: number, maxBytes: number): ByteBudget {
  const totalBytes = Math.min(maxBytes, Math.floor(heapBytes * heapShare))
  return createByteBudget({ totalBytes, bytesPerKey: totalBytes / 2 })
}

/** The memory of archives that one person reads. */
export type ArchiveMemory = Pick<ByteBudget, 'reserve'>

/**
 * The bytes of an entry of a map with a small object as its value, which were 77 to 133 when measured with Node 24, and those of
 * the head of a string.
 */
const [entryBytes, stringBytes] = [100, 24]

/** Adds an entry of a map to a reservation, with the texts that only this entry holds. */
export function reserveEntry(memory: ByteReservation, ...texts: readonly string[]): void {
  memory.add(texts.reduce((sum, text) => sum + textBytes(text), entryBytes))
}

/** Returns the bytes of a text in memory. V8 takes two bytes for each character when one of them is beyond U+00FF. */
const textBytes = (text: string): number => stringBytes + text.length * (/[^\0-\u00FF]/.test(text) ? 2 : 1)

/**
 * Returns a function that raises the bytes that a reservation holds for one purpose, such as the largest header of an archive,
 * when they are more than before.
 */
export function createPeak(memory: ByteReservation): (bytes: number) => void {
  let peakBytes = 0
  return (bytes) => {
    if (bytes <= peakBytes) return
    memory.add(bytes - peakBytes)
    peakBytes = bytes
  }
}
