import { totalmem } from 'node:os'

/**
 * The memory in bytes (512 MiB) below which the server saves memory at the price of speed. With more, its largest parts fit
 * beside each other.
 */
export const smallMemoryBytes = 512 * 1024 * 1024

/**
 * Returns the bytes of memory that this process and its children may occupy: the limit of the container or of the service, and
 * otherwise the memory of the machine.
 */
export const memoryLimitBytes = () => {
  // Versions of Node before 18.15 do not know the limit, and 0 means that there is none.
  const limit = process.constrainedMemory?.() ?? 0
  return Math.min(limit > 0 ? limit : Number.POSITIVE_INFINITY, totalmem())
}

/** The size of Node's thread pool where memory is small. Each of its threads takes 100 to 200 kB. */
const smallPoolSize = 8

/**
 * Returns the largest size of Node's thread pool for this memory.
 * @param {number} memoryBytes
 */
export const mostPoolThreads = (memoryBytes) =>
  memoryBytes < smallMemoryBytes ? smallPoolSize : Number.POSITIVE_INFINITY

/**
 * The options of Node for a server with little memory: V8 collects garbage of 1 MiB instead of 16 MiB, and with one thread. The
 * server then starts with 39 instead of 46 MB, measured with Node 24.
 */
const smallMemoryOptions = ['--max-semi-space-size=1', '--v8-pool-size=1']

/**
 * Returns the options that Node needs for this memory and was not started with.
 * @param {number} memoryBytes
 * @param {readonly string[]} given
 * @returns {readonly string[]}
 */
export const nodeOptionsFor = (memoryBytes, given) =>
  memoryBytes < smallMemoryBytes
    ? smallMemoryOptions.filter((option) => !given.some((other) => other.startsWith(nameOf(option))))
    : []

/** @param {string} option */
const nameOf = (option) => option.slice(0, option.indexOf('='))
