import { readFileSync, writeFileSync } from 'node:fs'

/** The most memory that a process holds while something is done, over what it held before, in MB. */
export async function memoryDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  const beforeMB = memoryOf(pid, 'VmRSS')
  // 5: the kernel forgets the most that there ever was (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  await work()
  return memoryOf(pid, 'VmHWM') - beforeMB
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return (Number(line?.[1]) * 1024) / 1e6
}
