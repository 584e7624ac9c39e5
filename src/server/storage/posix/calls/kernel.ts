import { closeSync, readFileSync } from 'node:fs'
import { getSystemErrorName } from 'node:util'
import { bytesOf } from './descriptors.ts'

/**
 * System call numbers for each processor architecture. Only this file declares native functions: `mallopt` and
 * `malloc_trim` of glibc, `madvise`, those of libc that start processes and that send a datagram, and libc's `syscall`, which makes seventeen system calls by number and exists in every version of
 * glibc and musl. A wrong signature could crash the process, so this file contains nothing else.
 */
export const systemCallNumbers = {
  x64: {
    ioSetup: 206,
    ioDestroy: 207,
    ioGetevents: 208,
    ioSubmit: 209,
    lseek: 8,
    setxattr: 188,
    getxattr: 191,
    listxattr: 194,
    getdents64: 217,
    linkat: 265,
    syncFileRange: 277,
    syncfs: 306,
    renameat2: 316,
    copyFileRange: 326,
    preadv2: 327,
    statx: 332,
    openat2: 437,
  },
  arm64: {
    ioSetup: 0,
    ioDestroy: 1,
    ioGetevents: 4,
    ioSubmit: 2,
    lseek: 62,
    setxattr: 5,
    getxattr: 8,
    listxattr: 11,
    getdents64: 61,
    linkat: 37,
    syncFileRange: 84,
    syncfs: 267,
    renameat2: 276,
    copyFileRange: 285,
    preadv2: 286,
    statx: 291,
    openat2: 437,
  },
}
type SystemCallNumbers = Readonly<Record<keyof typeof systemCallNumbers.x64, number>>
const numbers: Readonly<Record<string, SystemCallNumbers>> = systemCallNumbers

/** Resolve flags of openat2(2), and the O_CLOEXEC flag. */
export const resolveNoMagicLinks = 0x02
export const resolveNoSymlinks = 0x04
export const resolveBeneath = 0x08
export const closeOnExec = 0o2000000
/**
 * `struct open_how` without its `mode` field. The field is needed only for creating files, and openat2 never creates
 * files here.
 */
export type OpenHow = { readonly flags: bigint; readonly resolve: bigint }
/** Flag and mask bits of statx(2). */
export const atEmptyPath = 0x1000
/** Mask STATX_BASIC_STATS: type, mode, links, owner, times, inode and size. */
export const basicStats = 0x7ff

/**
 * Size in bytes (64 KiB) of the path buffer, which has space for two paths of 32 KiB. Longer paths are refused with
 * ENAMETOOLONG.
 */
export const pathBytes = 64 * 1024
export const direntBytes = 256 * 1024

export type KernelFunctions = {
  readonly openat2: (
    ...args: [number: number, folder: number, path: number, how: number, size: number]
  ) => number
  readonly lseek: (...args: [number: number, file: number, at: number, whence: number]) => number
  readonly setxattr: (
    ...args: [number: number, path: number, name: number, value: number, size: number, flags: number]
  ) => number
  readonly getxattr: (
    ...args: [number: number, path: number, name: number, into: number, size: number]
  ) => number
  readonly listxattr: (...args: [number: number, path: number, into: number, size: number]) => number
  readonly getdents64: (...args: [number: number, folder: number, into: number, size: number]) => number
  readonly statx: (
    ...args: [number: number, folder: number, path: number, flags: number, mask: number, into: number]
  ) => number
  readonly renameat2: (
    ...args: [number: number, from: number, fromPath: number, to: number, toPath: number, flags: number]
  ) => number
  readonly linkat: (
    ...args: [number: number, from: number, fromPath: number, to: number, toPath: number, flags: number]
  ) => number
  readonly copyFileRange: (
    ...args: [
      number: number,
      from: number,
      fromAt: number,
      to: number,
      toAt: number,
      size: number,
      flags: number,
    ]
  ) => number
  readonly preadv2: (
    ...args: [
      number: number,
      file: number,
      parts: number,
      count: number,
      at: number,
      high: number,
      flags: number,
    ]
  ) => number
  readonly syncFileRange: (
    ...args: [number: number, file: number, at: number, size: number, flags: number]
  ) => number
  readonly syncfs: (...args: [number: number, descriptor: number]) => number
  readonly ioSetup: (...args: [number: number, most: number, context: number]) => number
  readonly ioDestroy: (...args: [number: number, context: bigint]) => number
  readonly ioSubmit: (...args: [number: number, context: bigint, count: number, orders: number]) => number
  readonly ioGetevents: (
    ...args: [number: number, context: bigint, least: number, most: number, into: number, timeout: number]
  ) => number
  readonly errno: () => number
  /**
   * Returns the memory address of a buffer's bytes. The address stays the same until the buffer is garbage-collected.
   */
  readonly addressOf: (buffer: Buffer) => number
}

/**
 * The kernel's functions, the system call numbers of this processor architecture, and the buffers through which the
 * functions exchange data with the kernel.
 */
export type LoadedKernel = {
  readonly kernel: KernelFunctions
  readonly number: SystemCallNumbers
  readonly buffers: KernelBuffers
}

/**
 * Loads the kernel's functions and allocates the buffers through which they exchange data with the kernel. Returns null
 * when koffi does not load or the processor architecture is unknown.
 */
export async function loadKernel(): Promise<LoadedKernel | null> {
  const number = process.platform === 'linux' ? numbers[process.arch] : undefined
  if (number === undefined) return null
  try {
    const kernel = await importKernel()
    return { kernel, number, buffers: createKernelBuffers(kernel) }
  } catch {
    return null
  }
}

/**
 * Loads the function of the C library that returns freed memory to the system (malloc_trim(3)). Without koffi, or with
 * a C library other than glibc, the returned function does nothing.
 */
export async function loadHeapTrim(): Promise<() => void> {
  try {
    const { default: koffi } = await import('koffi')
    const trim = koffi.load(null).func('malloc_trim', 'int', ['size_t'])
    return () => void trim(0)
  } catch {
    return () => {}
  }
}

/** Parameters of mallopt(3). */
const [trimThreshold, mmapThreshold, arenaMax] = [-1, -3, -8]
/**
 * The number of free bytes at the end of a heap of the C library above which they are returned to the system: 128 KiB,
 * which is the value with which glibc starts.
 */
const trimThresholdBytes = 128 * 1024
/**
 * The size of a block in bytes from which it is mapped by itself, so that its memory is returned when it is freed: 1 MiB.
 * glibc starts with 128 KiB. Buffers of transfers and of thumbnails are smaller than 1 MiB, and are reused without a system call.
 */
const defaultMappedBlockBytes = 1024 * 1024

/**
 * Makes the C library return freed memory to the system soon. Otherwise glibc raises both thresholds whenever a mapped
 * block is freed: after the block of 19 MiB of the first password hash, each of its heaps may keep 38 MB, and `malloc_trim`
 * does not shrink the heaps of threads. Must be called before the first hash, because glibc lowers no threshold by itself.
 * Without koffi, or with a C library other than glibc, nothing happens. Returns false when koffi is missing or does not run here.
 * `arenas` is the largest number of heaps of the C library; null leaves it to the library, which has eight for each processor.
 * `mappedBlockBytes` is the size from which a block is mapped by itself; a smaller one gives more memory back, and costs time.
 */
export async function limitFreeMemory({
  arenas = null,
  mappedBlockBytes = defaultMappedBlockBytes,
}: { readonly arenas?: number | null; readonly mappedBlockBytes?: number } = {}): Promise<boolean> {
  const koffi = await import('koffi').then(
    (loaded) => loaded.default,
    () => null,
  )
  if (koffi === null) return false
  try {
    const setOption = koffi.load(null).func('mallopt', 'int', ['int', 'int'])
    setOption(trimThreshold, trimThresholdBytes)
    setOption(mmapThreshold, mappedBlockBytes)
    if (arenas !== null) setOption(arenaMax, arenas)
  } catch {
    // Other C libraries have no `mallopt`.
  }
  return true
}

/** The advice of madvise(2) that a mapping is read in no order, so that the kernel reads only the pages that are needed. */
const adviceRandom = 1

/**
 * Makes the kernel read single pages of the program files of this process instead of the pages around them. Where memory is
 * small, the kernel drops pages of programs. Linux reads up to 8 MiB for one missing page (read_ahead_kb), and drops as
 * many other pages of programs for them, so that a process makes no progress for minutes. Without koffi, nothing happens.
 */
export async function readProgramFilesByPage(): Promise<void> {
  try {
    const { default: koffi } = await import('koffi')
    const advise = koffi.load(null).func('madvise', 'int', ['uintptr_t', 'size_t', 'int'])
    for (const { start, bytes } of mappedFiles(readFileSync('/proc/self/maps', 'latin1')))
      advise(start, bytes, adviceRandom)
  } catch {
    // Other systems have no such file.
  }
}

/** Returns the read-only mappings of files (proc_pid_maps(5)). */
const mappedFiles = (maps: string): readonly { readonly start: bigint; readonly bytes: bigint }[] =>
  Array.from(maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) r-[x-]p \S+ \S+ [1-9]\d* +\//gm), ([, start, end]) => ({
    start: BigInt(`0x${start}`),
    bytes: BigInt(`0x${end}`) - BigInt(`0x${start}`),
  }))

/** The functions of the C library that start processes (posix_spawn(3)), whose parameters are addresses and numbers. */
export type SpawnFunctions = {
  readonly spawn: (
    ...args: [pid: number, path: number, actions: number, attributes: number, args: number, env: number]
  ) => number
  readonly initActions: (actions: number) => number
  readonly destroyActions: (actions: number) => number
  readonly addDuplicate: (actions: number, from: number, to: number) => number
  readonly addOpen: (
    ...args: [actions: number, to: number, path: string, flags: number, mode: number]
  ) => number
  readonly addClose: (actions: number, descriptor: number) => number
  readonly addFolder: (actions: number, path: string) => number
  readonly initAttributes: (attributes: number) => number
  readonly setFlags: (attributes: number, flags: number) => number
  readonly setDefaultSignals: (attributes: number, signals: number) => number
  readonly setBlockedSignals: (attributes: number, signals: number) => number
  readonly wait: (pid: number, status: number, options: number) => number
  readonly socketPair: (...args: [domain: number, type: number, protocol: number, into: number]) => number
  readonly errno: () => number
  readonly addressOf: (buffer: Buffer) => number
}

/** Loads the functions that start processes. Returns null without koffi, and with a C library that lacks one of them. */
export async function loadSpawnFunctions(): Promise<SpawnFunctions | null> {
  // The tables of texts have pointers of 8 bytes.
  if (process.platform !== 'linux' || numbers[process.arch] === undefined) return null
  try {
    const { default: koffi } = await import('koffi')
    const lib = koffi.load(null)
    const at = 'uintptr_t'
    return {
      spawn: lib.func('posix_spawn', 'int', [at, at, at, at, at, at]),
      initActions: lib.func('posix_spawn_file_actions_init', 'int', [at]),
      destroyActions: lib.func('posix_spawn_file_actions_destroy', 'int', [at]),
      addDuplicate: lib.func('posix_spawn_file_actions_adddup2', 'int', [at, 'int', 'int']),
      addOpen: lib.func('posix_spawn_file_actions_addopen', 'int', [at, 'int', 'str', 'int', 'uint']),
      addClose: lib.func('posix_spawn_file_actions_addclose', 'int', [at, 'int']),
      addFolder: lib.func('posix_spawn_file_actions_addchdir_np', 'int', [at, 'str']),
      initAttributes: lib.func('posix_spawnattr_init', 'int', [at]),
      setFlags: lib.func('posix_spawnattr_setflags', 'int', [at, 'short']),
      setDefaultSignals: lib.func('posix_spawnattr_setsigdefault', 'int', [at, at]),
      setBlockedSignals: lib.func('posix_spawnattr_setsigmask', 'int', [at, at]),
      wait: lib.func('waitpid', 'int', ['int', at, 'int']),
      socketPair: lib.func('socketpair', 'int', ['int', 'int', 'int', at]),
      errno: () => koffi.errno(),
      addressOf: (buffer) => Number(koffi.address(buffer)),
    }
  } catch {
    return null
  }
}

/** Domain, type and flags of a datagram to a local socket: AF_UNIX, SOCK_DGRAM, and MSG_NOSIGNAL of sendto(2). */
const [localDomain, datagramType, withoutSignal] = [1, 2, 0x4000]

/**
 * Sends a datagram to a local socket, which Node cannot do. A path that begins with `@` denotes a socket in the abstract
 * namespace (unix(7)). Returns false without koffi, and when the kernel does not accept the datagram.
 */
export async function sendDatagram(socketPath: string, text: string): Promise<boolean> {
  const koffi = await import('koffi').then(
    (loaded) => loaded.default,
    () => null,
  )
  if (koffi === null) return false
  const lib = koffi.load(null)
  const at = 'uintptr_t'
  const openSocket = lib.func('socket', 'int', ['int', 'int', 'int'])
  const send = lib.func('sendto', 'long', ['int', at, 'size_t', 'int', at, 'uint'])
  const [message, address] = [Buffer.from(text), Buffer.from(`\x01\0${socketPath.replace(/^@/, '\0')}`)]
  const [messageAt, addressAt] = [koffi.address(message), koffi.address(address)]
  const descriptor = openSocket(localDomain, datagramType | closeOnExec, 0)
  if (descriptor < 0) return false
  const sent = send(descriptor, messageAt, message.length, withoutSignal, addressAt, address.length)
  closeSync(descriptor)
  return sent === message.length
}

async function importKernel(): Promise<KernelFunctions> {
  const { default: koffi } = await import('koffi')
  const lib = koffi.load(null)
  const at = 'uintptr_t'
  return {
    openat2: lib.func('syscall', 'long', ['long', 'int', at, at, 'size_t']),
    lseek: lib.func('syscall', 'long', ['long', 'int', 'long', 'int']),
    setxattr: lib.func('syscall', 'long', ['long', at, at, at, 'size_t', 'int']),
    getxattr: lib.func('syscall', 'long', ['long', at, at, at, 'size_t']),
    listxattr: lib.func('syscall', 'long', ['long', at, at, 'size_t']),
    getdents64: lib.func('syscall', 'long', ['long', 'int', at, 'size_t']),
    statx: lib.func('syscall', 'long', ['long', 'int', at, 'int', 'uint', at]),
    renameat2: lib.func('syscall', 'long', ['long', 'int', at, 'int', at, 'uint']),
    linkat: lib.func('syscall', 'long', ['long', 'int', at, 'int', at, 'int']),
    copyFileRange: lib.func('syscall', 'long', ['long', 'int', at, 'int', at, 'size_t', 'uint']),
    preadv2: lib.func('syscall', 'long', ['long', 'int', at, 'int', 'long', 'long', 'int']),
    syncFileRange: lib.func('syscall', 'long', ['long', 'int', 'long', 'long', 'uint']),
    syncfs: lib.func('syscall', 'long', ['long', 'int']),
    ioSetup: lib.func('syscall', 'long', ['long', 'uint', at]),
    ioDestroy: lib.func('syscall', 'long', ['long', at]),
    ioSubmit: lib.func('syscall', 'long', ['long', at, 'long', at]),
    ioGetevents: lib.func('syscall', 'long', ['long', at, 'long', 'long', at, at]),
    errno: () => koffi.errno(),
    addressOf: (buffer) => Number(koffi.address(buffer)),
  }
}

/** Memory that the kernel reads and writes, together with its addresses. */
export type KernelBuffers = {
  readonly how: BigUint64Array
  readonly howAt: number
  readonly stat: DataView
  readonly statAt: number
  readonly dirents: Buffer
  readonly direntsAt: number
  /**
   * Writes a path and a terminating NUL into the path buffer at the given offset. Returns the path's memory address.
   */
  readonly writePath: (path: string, at: number) => number
}

/** Allocates the memory that the kernel reads and writes. Each thread calls this once. */
function createKernelBuffers(kernel: KernelFunctions): KernelBuffers {
  const how = Buffer.alloc(24)
  const stat = Buffer.alloc(256)
  const paths = Buffer.alloc(pathBytes)
  const dirents = Buffer.allocUnsafeSlow(direntBytes)
  const pathsAt = kernel.addressOf(paths)
  return {
    how: new BigUint64Array(how.buffer, how.byteOffset, 3),
    howAt: kernel.addressOf(how),
    stat: new DataView(stat.buffer, stat.byteOffset, stat.byteLength),
    statAt: kernel.addressOf(stat),
    dirents,
    direntsAt: kernel.addressOf(dirents),
    writePath(path, at) {
      const bytes = path.isWellFormed()
        ? paths.write(path, at, pathBytes / 2, 'utf8')
        : bytesOf(path).copy(paths, at)
      if (bytes >= pathBytes / 2) throw systemError(36)
      paths[at + bytes] = 0
      return pathsAt + at
    },
  }
}

/** Creates an error for an error number. Its `code` is the system's code, for example ENOENT. */
export function systemError(errno: number): Error {
  const code = getSystemErrorName(-errno)
  return Object.assign(new Error(code), { code, errno })
}
