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
 * Reads the first process of a sandbox from bubblewrap's output. Null when bubblewrap ended before it had created the
 * process.
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
 * Kills all processes of a sandbox immediately. This does not happen by itself in every case: when bubblewrap ends
 * while it is still creating the sandbox, the sandbox stays, and bubblewrap ends together with the first program
 * although other programs may still run. If the process id belongs to another process by now, nothing is killed.
 */
export async function endSandbox(first: SandboxProcess | null): Promise<void> {
  try {
    if (first !== null && (await isRunning(first))) process.kill(first.pid, 'SIGKILL')
  } catch {
    // The process has ended in the meantime.
  }
}

/** True while the sandbox's first process is alive. A zombie counts as ended. */
export async function isRunning({ pid, namespace }: SandboxProcess): Promise<boolean> {
  try {
    if (/^\d+ \(.*\) [ZX]/s.test(await readFile(`/proc/${pid}/stat`, 'latin1'))) return false
    return (await readlink(`/proc/${pid}/ns/pid`)) === `pid:[${namespace}]`
  } catch {
    return false
  }
}
