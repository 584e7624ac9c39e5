import type { ChildProcess } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { sandboxPipes } from './bubblewrap-args.ts'

/**
 * The first process of a sandbox: all other processes of the sandbox descend from this process and end with it. `pid`
 * is its process id outside of the sandbox, and `namespace` identifies its PID namespace.
 */
export type SandboxProcess = { readonly pid: number; readonly namespace: string }

/**
 * Reads the first process of a sandbox from bubblewrap's output. Returns null when bubblewrap ended before it created
 * this process.
 */
export async function readSandboxProcess(bubblewrap: ChildProcess): Promise<SandboxProcess | null> {
  let text = ''
  try {
    for await (const chunk of bubblewrap.stdio[sandboxPipes.info] as Readable) text += String(chunk)
  } catch {
    // The pipe is closed when bubblewrap ends. The text that was read before is used.
  }
  const pid = /"child-pid": *(\d+)/.exec(text)?.[1]
  const namespace = /"pid-namespace": *(\d+)/.exec(text)?.[1]
  return pid === undefined || namespace === undefined ? null : { pid: Number(pid), namespace }
}

/**
 * Kills all processes of a sandbox immediately. They do not always end together with bubblewrap: when bubblewrap ends
 * while it is creating the sandbox, the sandbox continues to run. Also, bubblewrap ends with the command although other
 * processes of the sandbox may still run. If the process id belongs to another process by now, nothing is killed.
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
