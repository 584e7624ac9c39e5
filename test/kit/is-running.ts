import { readFileSync, readdirSync } from 'node:fs'

/** Whether a process runs. One that has ended and was not fetched by its parent does not, though its number is taken. */
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

/** Whether some process of this machine has this among its words. Linux only. */
export const isSomewhere = (word: string): boolean =>
  readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0').includes(word)
    } catch {
      return false
    }
  })
