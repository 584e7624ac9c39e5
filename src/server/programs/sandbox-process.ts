import { readFile, readlink } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ProgramProcess } from './process-starter.ts'
import { sandboxPipes } from './bubblewrap-args.ts'

/**
 * The first process of a sandbox. All other processes of the sandbox descend from this process and end with it. `pid`
 * is its process id outside of the sandbox, and `namespace` identifies its PID namespace.
 */
export type SandboxProcess = { readonly pid: number; readonly namespace: string }

/**
 * Reads from bubblewrap's output which process is the first process of the sandbox. Returns null when bubblewrap ended
 * before it created this process.
 */
export async function readSandboxProcess(bubblewrap: ProgramProcess): Promise<SandboxProcess | null> {
  let text = ''
  try {
    for await (const chunk of bubblewrap.stdio[sandboxPipes.info] as Readable) text += String(chunk)
  } catch {
    // Bubblewrap has ended and closed the pipe. The text that has been read so far is used.
  }
  const pid = /"child-pid": *(\d+)/.exec(text)?.[1]
  const namespace = /"pid-namespace": *(\d+)/.exec(text)?.[1]
  return pid === undefined || namespace === undefined ? null : { pid: Number(pid), namespace }
}

/**
 * Kills all processes of a sandbox immediately. This is necessary because bubblewrap can end before them: when it ends
 * while it is creating the sandbox, the sandbox continues to run, and when the command ends, bubblewrap ends although
 * other processes of the sandbox may still run. If the process id has been reused for another process, nothing is
 * killed.
 */
export async function endSandbox(firstProcess: SandboxProcess | null): Promise<void> {
  try {
    if (firstProcess !== null && (await isRunning(firstProcess))) process.kill(firstProcess.pid, 'SIGKILL')
  } catch {
    // The process has ended in the meantime.
  }
}

/** Returns true while the first process of the sandbox is alive. A zombie counts as ended. */
export async function isRunning({ pid, namespace }: SandboxProcess): Promise<boolean> {
  try {
    if (/^\d+ \(.*\) [ZX]/s.test(await readFile(`/proc/${pid}/stat`, 'latin1'))) return false
    return (await readlink(`/proc/${pid}/ns/pid`)) === `pid:[${namespace}]`
  } catch {
    return false
  }
}
