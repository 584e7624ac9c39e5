import type { ChildProcess } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { sandboxPipes } from './sandbox.ts'

/** The process that all others of a sandbox descend from and end with, by its number outside, and the space of numbers inside. */
export type SandboxProcess = { readonly pid: number; readonly namespace: string }

/** As bubblewrap says; null when it ended before there was one. */
export async function sandboxProcessOf(bubblewrap: ChildProcess): Promise<SandboxProcess | null> {
  let text = ''
  try {
    for await (const chunk of bubblewrap.stdio[sandboxPipes.said] as Readable) text += String(chunk)
  } catch {
    // Its pipes are closed with it; what was said counts.
  }
  const pid = /"child-pid": *(\d+)/.exec(text)?.[1]
  const namespace = /"pid-namespace": *(\d+)/.exec(text)?.[1]
  return pid === undefined || namespace === undefined ? null : { pid: Number(pid), namespace }
}

/**
 * Ends all of a sandbox at once. Bubblewrap promises it for its own end, but not for one that comes while the sandbox is being made,
 * and it ends with the first program, not with the last. A number that another process has by now is left alone.
 */
export async function endSandbox(first: SandboxProcess | null): Promise<void> {
  try {
    if (first !== null && (await isThere(first))) process.kill(first.pid, 'SIGKILL')
  } catch {
    // It has gone meanwhile.
  }
}

/** Whether it runs. */
export async function isThere({ pid, namespace }: SandboxProcess): Promise<boolean> {
  try {
    // One that has ended, and was not fetched yet, does not.
    if (/^\d+ \(.*\) [ZX]/s.test(await readFile(`/proc/${pid}/stat`, 'latin1'))) return false
    return (await readlink(`/proc/${pid}/ns/pid`)) === `pid:[${namespace}]`
  } catch {
    return false
  }
}
