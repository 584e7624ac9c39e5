import { readFileSync, readdirSync } from 'node:fs'

/** True while a process is alive. A zombie counts as ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return process.platform !== 'linux'
  }
}

/** True when any process of this machine has the given argument. Works only on Linux. */
export const isProcessArgument = (argument: string): boolean =>
  readdirSync('/proc').some((name) => {
    try {
      return (
        /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0').includes(argument)
      )
    } catch {
      return false
    }
  })
