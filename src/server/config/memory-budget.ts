import { totalmem } from 'node:os'

const mebibyte = 1024 * 1024

/** The division of the server's memory among its parts. Sizes are in bytes. */
export type MemoryBudget = {
  /**
   * True when the program itself has to be read again from the disk at times, because the kernel takes its memory back.
   */
  readonly isSmall: boolean
  /** The largest number of heaps that the C library keeps for threads. Null leaves it to the C library. */
  readonly mallocArenas: number | null
  /** The size from which the C library maps a block of memory by itself, so that it is given back when it is freed. */
  readonly mappedBlockBytes: number
  readonly storageThreads: number
  readonly compressionThreads: number
  /** The interval in ms at which threads without work are looked for and end. Undefined leaves it to the pools of threads. */
  readonly idleThreadCheckMs: number | undefined
  /** The number of passwords that are hashed at the same time, each with 19 MiB. */
  readonly passwordThreads: number
  /** The largest number of processes that convert images, the memory of one of them, and the largest image that is read. */
  readonly converters: number
  readonly converterBytes: number
  readonly convertedImageBytes: number
  /** The numbers of programs that draw pictures of files, and of parts of films that are converted and kept. */
  readonly posters: number
  /** The number of archives that are packed at the same time. */
  readonly packedArchives: number
  /** The memory that all archives together may use. */
  readonly archiveBytes: number
  /** The memory for bytes that are read in advance of clients, and for responses that wait for their clients. */
  readonly readingBytes: number
  readonly responseBytes: number
  readonly listingCacheBytes: number
}

/** The budget of a server with enough memory. */
export const fullBudget: MemoryBudget = {
  isSmall: false,
  mallocArenas: null,
  mappedBlockBytes: mebibyte,
  storageThreads: 4,
  compressionThreads: 2,
  idleThreadCheckMs: undefined,
  passwordThreads: 2,
  converters: Number.POSITIVE_INFINITY,
  converterBytes: 256 * mebibyte,
  convertedImageBytes: 100 * mebibyte,
  posters: 2,
  packedArchives: Number.POSITIVE_INFINITY,
  archiveBytes: 1024 * mebibyte,
  readingBytes: 192 * mebibyte,
  responseBytes: 192 * mebibyte,
  listingCacheBytes: 32 * mebibyte,
}

/** The memory from which the server needs no budget: its peak was 434 MB, and two processes that convert images have 256 MiB each. */
const enoughBytes = 1024 * mebibyte
/** The memory that the server takes when it does nothing: 45 MB of its own, 25 MB of its program, 10 MB of the kernel. */
const baseBytes = 80 * mebibyte
/** The memory of a process that converts images, from which two of them are worth it. */
const minBytesOfTwo = 64 * mebibyte
/**
 * The share of the memory that processes that convert images may take. A photograph of 12 megapixels takes 23 MB for a
 * thumbnail and 34 MB for a preview, so 38 MiB of a container with 128 MiB are enough.
 */
const converterShare = 0.3

/** Divides the memory that the server and its child processes may occupy. */
export function memoryBudgetOf(memoryBytes: number): MemoryBudget {
  if (memoryBytes >= enoughBytes) return fullBudget
  const isSmall = memoryBytes < 512 * mebibyte
  const isTiny = memoryBytes < 256 * mebibyte
  /** The memory that remains for work, as a share of the same with enough memory. */
  const share = Math.max(0, memoryBytes - baseBytes) / (enoughBytes - baseBytes)
  const ofFull = (bytes: number): number => Math.max(mebibyte, Math.floor(bytes * share))
  const allConvertersBytes = Math.floor(memoryBytes * converterShare)
  const converters = allConvertersBytes >= 2 * minBytesOfTwo ? 2 : 1
  const converterBytes = Math.min(fullBudget.converterBytes, Math.floor(allConvertersBytes / converters))
  return {
    isSmall,
    mallocArenas: isSmall ? 2 : null,
    mappedBlockBytes: isSmall ? mebibyte / 8 : mebibyte,
    storageThreads: isTiny ? 1 : 2,
    compressionThreads: 1,
    idleThreadCheckMs: isSmall ? 2000 : undefined,
    passwordThreads: isSmall ? 1 : 2,
    converters,
    converterBytes,
    convertedImageBytes: Math.min(fullBudget.convertedImageBytes, Math.floor(converterBytes / 2)),
    posters: isSmall ? 1 : 2,
    packedArchives: packedArchivesIn(memoryBytes),
    archiveBytes: ofFull(fullBudget.archiveBytes / 4),
    readingBytes: ofFull(fullBudget.readingBytes),
    responseBytes: ofFull(fullBudget.responseBytes),
    listingCacheBytes: ofFull(fullBudget.listingCacheBytes),
  }
}

/** Returns how many archives may be packed at the same time. Each takes up to 35 MB, with its threads and its garbage. */
const packedArchivesIn = (memoryBytes: number): number =>
  Math.max(1, Math.floor((memoryBytes - baseBytes) / (64 * mebibyte)))

/** Returns the bytes that this process and its children may occupy: the limit of the container, or the memory of the machine. */
export function memoryLimitBytes(): number {
  const limit = process.constrainedMemory()
  return Math.min(limit > 0 ? limit : Number.POSITIVE_INFINITY, totalmem())
}
