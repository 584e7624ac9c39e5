import { readFileSync, writeFileSync } from 'node:fs'

/** Calls `work` and returns by how much the peak memory of a process exceeded its memory before the call, in MB. */
export async function memoryDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  const beforeMB = memoryOf(pid, 'VmRSS')
  // The value 5 resets the kernel's record of the peak (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  await work()
  return memoryOf(pid, 'VmHWM') - beforeMB
}

/** Returns the peak of the resident memory of a process since its start, in bytes. */
export const peakMemoryBytes = (pid: number): number => memoryOf(pid, 'VmHWM') * 1e6

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return (Number(line?.[1]) * 1024) / 1e6
}
