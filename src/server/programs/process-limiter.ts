/** A function that adds a `prlimit` call in front of the words of a command. */
export type ProcessLimiter = (words: readonly string[]) => readonly string[]

export type ProcessLimits = {
  /** The maximum processor time in seconds of one process. */
  readonly cpuSeconds: number
  /** The maximum size in bytes of the writable memory of one process. */
  readonly memoryBytes: number
  /** The maximum size in bytes of a file that a process writes. */
  readonly fileBytes: number
  /**
   * The maximum number of processes in a sandbox. The kernel does not apply this limit to root, so `watchSandbox`
   * applies it as well. Null outside of a sandbox, where the kernel would count all processes of the system user.
   */
  readonly processes: number | null
  readonly openFiles: number
}

/**
 * Creates the function that adds a `prlimit` call in front of a command. `prlimit` sets the limits and then replaces
 * itself by the command, and the kernel enforces the limits for each process. When `prlimit` is null, the program does
 * not exist on this system, and commands run without these limits.
 */
export const createProcessLimiter =
  (prlimit: string | null, limits: ProcessLimits): ProcessLimiter =>
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
