import { EventEmitter } from 'node:events'
import { accessSync, closeSync, constants as fileConstants, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants } from 'node:os'
import path from 'node:path'
import type { ProcessRequest, ProcessStarter, ProgramProcess } from './process-starter.ts'

/** The calls of the C library that start processes. */
export type NativeCalls = {
  createSocketPair(): readonly [number, number]
  start(program: {
    readonly path: string
    readonly args: readonly string[]
    readonly env: readonly string[]
    readonly cwd: string | undefined
    readonly descriptors: readonly (number | null)[]
  }): number
  takeExit(pid: number): { readonly status: number; readonly signal: number } | null
}

export type SpawnStarterDependencies = {
  readonly calls: NativeCalls
  /** Adds a listener for the signal SIGCHLD. The returned function removes the listener. */
  readonly onChildSignal: (listener: () => void) => () => void
}

/** Creates the function that starts processes at the same cost however much memory the server has. */
export function createSpawnStarter({ calls, onChildSignal }: SpawnStarterDependencies): ProcessStarter {
  const running = new Map<number, SpawnedProcess>()
  let stopListening: (() => void) | null = null

  function takeExits(): void {
    for (const [pid, child] of running) {
      const exit = calls.takeExit(pid)
      if (exit === null) continue
      running.delete(pid)
      child.end(exit.signal === 0 ? exit.status : null, signalNames.get(exit.signal) ?? null)
    }
    if (running.size > 0) return
    stopListening?.()
    stopListening = null
  }

  return (request) => {
    const pipes = createPipes(calls, request.stdio)
    try {
      stopListening ??= onChildSignal(takeExits)
      const pid = startProgram(calls, request, pipes.descriptors)
      const child = createSpawnedProcess(pid, pipes.openStreams())
      running.set(pid, child)
      return child
    } catch (error) {
      pipes.closeOwn()
      throw error
    } finally {
      pipes.closeTheirs()
    }
  }
}

/** A process that the C library has started. */
type SpawnedProcess = ProgramProcess & {
  /** Must be called when the process has ended. */
  readonly end: (code: number | null, signal: NodeJS.Signals | null) => void
}

/** Presents a process as Node's ChildProcess does, as far as programs need that. */
function createSpawnedProcess(pid: number, streams: readonly (Socket | null)[]): SpawnedProcess {
  const events = new EventEmitter()
  const [stdin = null, stdout = null, stderr = null] = streams
  let hasEnded = false
  return {
    pid,
    stdin,
    stdout,
    stderr,
    stdio: streams as unknown as ProgramProcess['stdio'],
    once: (event, listener) => events.once(event, listener),
    on: (event, listener) => events.on(event, listener),
    // The system may have given the id to another process after the end.
    kill: (signal = 'SIGTERM') => !hasEnded && process.kill(pid, signal),
    // Only the pipes of the process keep the server running.
    unref() {},
    end(code, signal) {
      hasEnded = true
      stdin?.destroy()
      events.emit('exit', code, signal)
    },
  }
}

const signalNames = new Map<number, NodeJS.Signals>(
  Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]),
)

const closeAll = (descriptors: readonly number[]): void =>
  descriptors.forEach((descriptor) => closeSync(descriptor))

/** Creates the pipes of a process. */
function createPipes(calls: NativeCalls, stdio: ProcessRequest['stdio']) {
  const [own, theirs]: [number[], number[]] = [[], []]
  const createPipe = () => {
    try {
      return calls.createSocketPair()
    } catch (error) {
      // The pipes before it would otherwise stay open when descriptors are scarce.
      closeAll([...own, ...theirs])
      throw error
    }
  }
  const ends = stdio.map((item) => {
    if (item !== 'pipe') return { own: null, theirs: item === 'ignore' ? null : item }
    const [ours, other] = createPipe()
    own.push(ours)
    theirs.push(other)
    return { own: ours, theirs: other }
  })
  return {
    descriptors: ends.map((end) => end.theirs),
    openStreams: () => ends.map((end) => (end.own === null ? null : new Socket({ fd: end.own }))),
    closeOwn: () => closeAll(own),
    closeTheirs: () => closeAll(theirs),
  }
}

/** Starts a program. A script without a line that names its interpreter is run by the shell, as `execvp` does. */
function startProgram(
  calls: NativeCalls,
  { program, args, env, cwd }: ProcessRequest,
  descriptors: readonly (number | null)[],
): number {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
  if ([program, cwd ?? '', ...args, ...variables].some((text) => text.includes('\0')))
    throw startError(program, 'EINVAL')
  const common = { env: variables, cwd, descriptors }
  try {
    const file = program.includes('/') ? program : findInPath(program, env['PATH'] ?? defaultPath)
    try {
      return calls.start({ ...common, path: file, args: [program, ...args] })
    } catch (error) {
      if (codeOfError(error) !== 'ENOEXEC') throw error
      return calls.start({ ...common, path: shell, args: [shell, file, ...args] })
    }
  } catch (error) {
    throw startError(program, codeOfError(error))
  }
}

const shell = '/bin/sh'
/** The folders in which `execvp` searches without `PATH`. */
const defaultPath = '/bin:/usr/bin'

const codeOfError = (error: unknown): string => String((error as NodeJS.ErrnoException).code)

/** Returns an error like that of Node's `spawn`. */
const startError = (program: string, code: string): Error =>
  Object.assign(new Error(`spawn ${program} ${code}`), { code, syscall: `spawn ${program}`, path: program })

function findInPath(name: string, folders: string): string {
  const found = folders
    .split(':')
    .map((folder) => path.join(folder || '.', name))
    .find(isProgramFile)
  if (name === '' || found === undefined) throw startError(name, 'ENOENT')
  return found
}

function isProgramFile(file: string): boolean {
  try {
    accessSync(file, fileConstants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
