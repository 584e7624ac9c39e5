import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A control group of Linux whose processes together may occupy a limited amount of memory, as those of a container. */
export type MemoryGroup = {
  /** Returns the command that runs a command as the only process of the group. */
  readonly commandIn: (command: readonly string[]) => readonly string[]
  readonly facts: () => MemoryGroupFacts
  /** Forgets the peak so far. */
  readonly resetPeak: () => void
  /** Removes the group, whose processes must have ended. */
  readonly remove: () => Promise<void>
}

export type MemoryGroupFacts = {
  readonly peakBytes: number
  /** The number of times that a process had to wait for a page of its own program or of another file, which it had lost. */
  readonly majorFaults: number
  /** The number of processes that the kernel has killed because it found no memory to take back. */
  readonly killedProcesses: number
}

const top = '/sys/fs/cgroup'

/** The files of one version of control groups. */
type GroupFiles = {
  readonly parent: string
  /** The files that get the limit. The later ones do not exist everywhere. */
  readonly limits: readonly string[]
  readonly peak: string
  readonly facts: (read: (name: string) => string) => Omit<MemoryGroupFacts, 'peakBytes'>
}

const counter = (name: string, text: string): number =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)

const versions: readonly GroupFiles[] = [
  {
    parent: `${top}/memory`,
    limits: ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes'],
    peak: 'memory.max_usage_in_bytes',
    facts: (read) => ({
      majorFaults: counter('total_pgmajfault', read('memory.stat')),
      killedProcesses: counter('oom_kill', read('memory.oom_control')),
    }),
  },
  {
    parent: top,
    limits: ['memory.max'],
    peak: 'memory.peak',
    facts: (read) => ({
      majorFaults: counter('pgmajfault', read('memory.stat')),
      killedProcesses: counter('oom_kill', read('memory.events')),
    }),
  },
]

let created = 0

/** Creates a group. Returns the reason as a text where this process may not create one. */
export function createMemoryGroup(limitBytes: number): MemoryGroup | string {
  const reasons: string[] = []
  for (const files of versions) {
    created += 1
    const folder = path.join(files.parent, `stowage-test-${process.pid}-${created}`)
    try {
      mkdirSync(folder)
    } catch (error) {
      reasons.push(String(error))
      continue
    }
    try {
      files.limits.forEach((name, at) => setLimit(path.join(folder, name), limitBytes, at === 0))
      return groupOf(folder, files)
    } catch (error) {
      reasons.push(String(error))
      rmdirSync(folder)
    }
  }
  return `no memory group can be created here (${reasons.join('; ')})`
}

function setLimit(file: string, bytes: number, isNeeded: boolean): void {
  try {
    // Without this flag, a missing file would be created on a folder that is no control group.
    writeFileSync(file, String(bytes), { flag: 'r+' })
  } catch (error) {
    if (isNeeded) throw error
  }
}

function groupOf(folder: string, { facts, peak }: GroupFiles): MemoryGroup {
  const read = (name: string): string => readFileSync(path.join(folder, name), 'latin1')
  return {
    commandIn: (command) => [
      '/bin/sh',
      '-c',
      'echo $$ >"$0" && exec "$@"',
      path.join(folder, 'cgroup.procs'),
      ...command,
    ],
    facts: () => ({ peakBytes: Number(read(peak)), ...facts(read) }),
    resetPeak: () => writeFileSync(path.join(folder, peak), '0', { flag: 'r+' }),
    async remove() {
      for (let attempts = 0; attempts < 50; attempts += 1) {
        try {
          return rmdirSync(folder)
        } catch {
          // A killed process leaves its group a moment later.
          await pause(100)
        }
      }
    },
  }
}
