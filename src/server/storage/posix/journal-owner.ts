import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * The interval in milliseconds at which a server touches its journal, and the time after which the owner of an untouched
 * journal counts as ended. The second one is longer than a server that swaps or is suspended for a moment stays silent.
 */
export const heartbeatMs = 10_000
export const maxSilenceMs = 60_000

/** A server process that owns a journal. */
type JournalOwner = {
  /** Identifies the processes that can see each other: one start of the system, and one namespace of process ids. */
  readonly machine: string
  readonly pid: number
  /** The time at which the process started, in ticks since the start of the system. 0 where the system does not tell it. */
  readonly startTicks: string
}

/** Creates the name of a new journal of this process. */
export const newJournalName = (): string => {
  const { machine, pid, startTicks } = thisProcess()
  return `staged-${machine}-${pid}-${startTicks}-${randomBytes(8).toString('hex')}`
}

/** Returns the owner that the name of a journal names, or null for another file. */
function ownerOf(name: string): JournalOwner | null {
  const [, machine, pid, startTicks] =
    /^staged-([0-9a-f]{16})-([0-9]{1,10})-([0-9]{1,20})-[0-9a-f]{16}$/.exec(name) ?? []
  if (machine === undefined || pid === undefined || startTicks === undefined) return null
  return { machine, pid: Number(pid), startTicks }
}

/**
 * Returns true when the owner of a journal has ended. `touchedMs` is the time of its last heartbeat. A process that this
 * process can see is looked up, so that what a killed server left is removed at the next start. Others count as ended
 * when they have been silent for too long.
 */
export function hasOwnerEnded(name: string, touchedMs: number, nowMs: number): boolean {
  const owner = ownerOf(name)
  if (owner === null) return false
  return owner.machine === thisProcess().machine ? !isRunning(owner) : nowMs - touchedMs > maxSilenceMs
}

function isRunning({ pid, startTicks }: JournalOwner): boolean {
  if (startTicks !== '0' && startTicksOf(pid) !== '0') return startTicksOf(pid) === startTicks
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

let ownOwner: JournalOwner | undefined

function thisProcess(): JournalOwner {
  ownOwner ??= { machine: machineId(), pid: process.pid, startTicks: startTicksOf(process.pid) }
  return ownOwner
}

function machineId(): string {
  let visible = hostname()
  try {
    visible = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8') + readlinkSync('/proc/self/ns/pid')
  } catch {
    // The system has no such files. Machines that share a folder of the state have different names.
  }
  return createHash('sha256').update(visible).digest('hex').slice(0, 16)
}

/** Returns an id of this start of the system, or an empty string when the system does not tell it. */
export function machineStartId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/** Returns when a process started (field 22 of proc_pid_stat(5)), or 0 when it does not run or cannot be seen. */
function startTicksOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name of the program, which may contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
  } catch {
    return '0'
  }
}
