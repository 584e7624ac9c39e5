import { spawn, type ChildProcess } from 'node:child_process'

/** A process that was started: its id, and the server's ends of its pipes by their descriptors in the process. */
export type ProgramProcess = Pick<
  ChildProcess,
  'pid' | 'stdin' | 'stdout' | 'stderr' | 'stdio' | 'kill' | 'unref'
> & {
  /** Adds a listener for the end of the process: its exit code, or the signal that ended it. */
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown
  /** Adds a listener for the error that prevented the start. The process has no id then. */
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** A program to start in a process group of its own. Neither the program nor its arguments are passed through a shell. */
export type ProcessRequest = {
  /** The path of the program, or a name that is searched for in the `PATH` of the program. */
  readonly program: string
  readonly args: readonly string[]
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory. The default is the server's own working directory. */
  readonly cwd?: string | undefined
  /** The descriptors 0, 1, 2 and so on of the program: a pipe to the server, an empty device, or a descriptor of the server. */
  readonly stdio: readonly ('pipe' | 'ignore' | number)[]
}

/** Starts a process. Throws, or reports an `error`, when the process cannot be started. */
export type ProcessStarter = (request: ProcessRequest) => ProgramProcess

/**
 * Starts a process with `fork`, which copies the page tables of the server. It blocks the main thread for 1 ms, and for 30 ms
 * when the server has 700 MB of memory.
 */
export const startByFork: ProcessStarter = ({ program, args, env, cwd, stdio }) =>
  spawn(program, args, {
    shell: false,
    detached: true,
    stdio: [...stdio],
    env,
    ...(cwd === undefined ? {} : { cwd }),
  })
