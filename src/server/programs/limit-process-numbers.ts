import { release } from 'node:os'
import { findProgram } from './find-program.ts'
import type { ProcessStarter } from './process-starter.ts'
import { runProgram } from './run-program.ts'
import type { SandboxProcess } from './sandbox-process.ts'

/**
 * The number from which Linux gives out process numbers again after it has reached the highest one (`RESERVED_PIDS` in
 * `kernel/pid.c`). Lower numbers are used once.
 */
const reusedFrom = 300

/** The time limit in milliseconds of the program that sets the highest number. It takes a few milliseconds. */
const maxSetMs = 5000

/**
 * Sets the highest process number, in the namespace in which it runs. The first argument is that number. The second one
 * is the namespace that is meant: in any other, the limit would apply to programs outside of the sandbox.
 */
const script = '[ "$(readlink /proc/self/ns/pid)" = "pid:[$2]" ] && echo "$1" > /proc/sys/kernel/pid_max'

/**
 * Lets the kernel refuse new processes in a sandbox of a server that runs as root, because the kernel does not apply its
 * limit for each user to root. At most 300 processes more than `processes` can exist, until the server has counted them
 * and ends the sandbox. Nothing changes where the kernel or the rights of the server do not allow this: the server then
 * only counts.
 */
export async function limitProcessNumbers(
  start: ProcessStarter,
  { pid, namespace }: SandboxProcess,
  processes: number,
): Promise<void> {
  if (process.getuid?.() !== 0 || !hasLimitOfNamespaces(release())) return
  const program = await findProgram('nsenter')
  if (program === null) return
  const highest = String(reusedFrom + processes)
  await runProgram(start, {
    program,
    args: ['--target', String(pid), '--pid', '/bin/sh', '-c', script, 'sh', highest, namespace],
    env: {},
    cwd: '/',
    timeMs: maxSetMs,
    leftoverProcesses: 'killed',
    onOutput: () => undefined,
  })
}

/**
 * True when each namespace has a highest process number of its own, which is so since Linux 6.14. In an older kernel,
 * the whole machine has one number.
 */
export function hasLimitOfNamespaces(kernelRelease: string): boolean {
  const [major = 0, minor = 0] = kernelRelease.split('.').map((part) => Number.parseInt(part, 10))
  return major > 6 || (major === 6 && minor >= 14)
}
