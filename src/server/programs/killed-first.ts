import { writeFileSync } from 'node:fs'
import type { ProcessStarter } from './process-starter.ts'

/** The largest value of the kernel: the process is the first to be killed when there is not enough memory. */
const firstToBeKilled = '1000'

/**
 * Makes the kernel kill a process, and those that it starts, before the server when there is not enough memory (oom_score_adj in
 * proc_pid_oom_score_adj(5)). Every process may raise its own value. Does nothing on other systems.
 */
export function letKernelKillFirst(pid: number | 'self'): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, firstToBeKilled, { flag: 'r+' })
  } catch {
    // The process has ended, or the system has no such file.
  }
}

/** Wraps a starter so that the kernel kills each started process before the server. */
export const killedFirst =
  (start: ProcessStarter): ProcessStarter =>
  (request) => {
    const child = start(request)
    if (child.pid !== undefined) letKernelKillFirst(child.pid)
    return child
  }
