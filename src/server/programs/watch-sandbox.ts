import { readFile, readdir, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import type { Writable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'
import type { ProcessStarter, ProgramProcess } from './process-starter.ts'
import { sandboxPipes } from './bubblewrap-args.ts'
import { limitProcessNumbers } from './limit-process-numbers.ts'
import { isRunning, type SandboxProcess } from './sandbox-process.ts'

/** Identifies a folder independently of its name, by device and inode number. */
export type FolderIdentity = { readonly dev: bigint; readonly ino: bigint }

export type SandboxWatchOptions = {
  readonly start: ProcessStarter
  /** The identity of the folder that must be mounted at `/scope`. */
  readonly scope: FolderIdentity
  /** The identity of the working directory, and its path relative to the scope. */
  readonly folder: FolderIdentity & { readonly path: string }
  /** The maximum number of processes in the sandbox. */
  readonly processes: number
  /** The maximum memory in bytes of all processes of the sandbox together. */
  readonly memoryBytes: number
  /** This signal aborts when the sandbox has ended or the command is aborted. */
  readonly signal: AbortSignal
}

/**
 * The interval in milliseconds at which the server checks whether the folders are mounted or the sandbox has ended. It
 * is short, because a command starts only after the check of the folders.
 */
const pollIntervalMs = 10
/**
 * The maximum time in milliseconds that the server waits until the folders of a sandbox are mounted. When the folders
 * are not mounted in this time, the command does not run.
 */
const maxMountWaitMs = 5000
/** The maximum time in milliseconds that the server waits, after an error, for a sandbox to end by itself. */
const exitGraceMs = 1000
/** The interval in milliseconds between two checks of the limits: ten checks per second (docs/decisions, 18). */
const limitCheckIntervalMs = 100
/** The size in bytes of a memory page, the unit of `/proc/<pid>/statm`. */
const pageBytes = 4096

/**
 * Starts the command of a sandbox after checking that the mounted folders are the authorized ones, because other
 * folders may have been moved to their paths since the authorization. Then checks periodically that the processes of
 * the sandbox stay within the limits that the kernel does not support or does not apply to root. Returns the reason why
 * the sandbox has to end, or null when it ended by itself.
 */
export async function watchSandbox(
  child: ProgramProcess,
  firstProcess: SandboxProcess,
  options: SandboxWatchOptions,
): Promise<string | null> {
  const { pid } = firstProcess
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
    if (!(await hasAuthorizedFolders(pid, options)))
      return (await isRunning(firstProcess)) ? 'its folders were replaced after they had been checked' : null
    await limitProcessNumbers(options.start, firstProcess, options.processes)
    ;(child.stdio[sandboxPipes.block] as Writable).on('error', () => undefined).end('x')
    return await waitForExceededLimit(pid, options)
  } catch (error) {
    // The error may only mean that the sandbox is ending, which takes a moment. A sandbox that does not end by
    // itself must not run unwatched, so the error is thrown and the sandbox is ended.
    for (let waitedMs = 0; waitedMs < exitGraceMs; waitedMs += pollIntervalMs) {
      if (options.signal.aborted || !(await isRunning(firstProcess))) return null
      await after(pollIntervalMs)
    }
    throw error
  }
}

/**
 * Waits until the scope is mounted in the sandbox. This is the case when the root folder of the process differs from
 * the server's root folder and contains the scope. Returns whether the scope and the working directory are the
 * authorized folders.
 */
async function hasAuthorizedFolders(
  pid: number,
  { scope, folder, signal }: SandboxWatchOptions,
): Promise<boolean> {
  const serverRoot = await folderAt('/')
  const sandboxRoot = `/proc/${pid}/root`
  for (let waitedMs = 0; waitedMs < maxMountWaitMs && !signal.aborted; waitedMs += pollIntervalMs) {
    const mountedScope = isSameFolder(await folderAt(sandboxRoot), serverRoot)
      ? null
      : await folderAt(`${sandboxRoot}/scope`)
    if (mountedScope !== null) {
      return (
        isSameFolder(mountedScope, scope) &&
        isSameFolder(await folderAt(`${sandboxRoot}/scope/${folder.path}`), folder)
      )
    }
    await after(pollIntervalMs, null, { signal }).catch(() => null)
  }
  return false
}

const folderAt = (path: string): Promise<FolderIdentity | null> =>
  stat(path, { bigint: true }).catch(() => null)

const isSameFolder = (a: FolderIdentity | null, b: FolderIdentity | null): boolean =>
  a !== null && b !== null && a.dev === b.dev && a.ino === b.ino

async function waitForExceededLimit(pid: number, options: SandboxWatchOptions): Promise<string | null> {
  while (!options.signal.aborted) {
    const numbers = (await readdir(`/proc/${pid}/root/proc`)).filter((name) => /^\d+$/.test(name))
    if (numbers.length > options.processes) return 'it has too many processes'
    const sizes = await Promise.all(numbers.map((number) => residentBytes(pid, number)))
    if (sizes.reduce((sum, size) => sum + size, 0) > options.memoryBytes) return 'it has too much memory'
    await after(limitCheckIntervalMs, null, { signal: options.signal }).catch(() => null)
  }
  return null
}

async function residentBytes(pid: number, number: string): Promise<number> {
  try {
    const statm = await readFile(`/proc/${pid}/root/proc/${number}/statm`, 'latin1')
    return Number(statm.split(' ')[1] ?? 0) * pageBytes
  } catch {
    return 0
  }
}
