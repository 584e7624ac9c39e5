/** Prefixes the words of a command with a call of `prlimit`. */
export type WithLimits = (words: readonly string[]) => readonly string[]

export type ProcessLimits = {
  /** The processor time in seconds. */
  readonly cpuSeconds: number
  /** The size in bytes of the writable memory of one process. */
  readonly memoryBytes: number
  /** The size in bytes of one file that a process writes. */
  readonly fileBytes: number
  /**
   * The number of processes of the sandbox. The kernel does not apply this limit to root, but `watchSandbox` does. Null
   * outside of a sandbox, because the kernel would count all processes of the user there.
   */
  readonly processes: number | null
  readonly openFiles: number
}

/**
 * Returns the function that prefixes a command with `prlimit`, which sets the limits and then becomes the command; the
 * kernel enforces the limits for each process. Without `prlimit` (null), commands stay as they are and have no such
 * limits.
 */
export const withLimits =
  (prlimit: string | null, limits: ProcessLimits): WithLimits =>
  (words) =>
    prlimit === null
      ? words
      : [
          prlimit,
          `--cpu=${limits.cpuSeconds}`,
          `--data=${limits.memoryBytes}`,
          `--fsize=${limits.fileBytes}`,
          ...(limits.processes === null ? [] : [`--nproc=${limits.processes}`]),
          `--nofile=${limits.openFiles}`,
          '--core=0',
          '--',
          ...words,
        ]
