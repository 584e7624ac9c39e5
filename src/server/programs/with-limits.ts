/** A program's words, with those of `prlimit` in front. */
export type WithLimits = (words: readonly string[]) => readonly string[]

export type ProcessLimits = {
  readonly cpuSeconds: number
  /** Of the memory that one process writes to. */
  readonly memoryBytes: number
  readonly fileBytes: number
  /** Of one user in one sandbox. The kernel spares root; `watchSandbox` does not. Null outside of one: there they count all of a user's. */
  readonly processes: number | null
  readonly openFiles: number
}

/** Limits that the kernel holds each process to, for what `prlimit` starts in its own place; none where that program is missing. */
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
