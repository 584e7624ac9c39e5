import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * The number of tasks that are left for the other threads of the server and for its child processes when the size of the
 * thread pool is chosen: 4 storage threads, 7 other threads, and 5 processes.
 */
const reservedTasks = 16
/** With fewer tasks than these, not even Node's usual pool of 4 threads and two threads for passwords can start. */
const leastTasks = 8
const [leastThreads, mostThreads] = [4, 64]
/** The number of threads of a process of Node before it does anything, and one process that asks for its version. */
export const tasksOfNode = 12

/**
 * Returns the size of Node's thread pool when this process and its children may start `tasks` more threads and processes.
 * Node ends itself without a word when a thread of its pool cannot be started. Null when there are too few tasks at all.
 * `most` is the largest size for other reasons.
 * @param {number} tasks
 * @param {number} [most]
 */
export const threadPoolSizeWithin = (tasks, most = mostThreads) =>
  tasks < leastTasks ? null : Math.max(leastThreads, Math.min(most, mostThreads, tasks - reservedTasks))

/**
 * The line that explains why the program does not start.
 * @param {number} tasks
 */
export const tooFewTasks = (tasks) =>
  `stowage: only ${tasks} more threads and processes are allowed, and ${leastTasks + reservedTasks} are needed: raise the limit of the container (pids), of the service (TasksMax) or of the user (ulimit -u)\n`

/**
 * Returns how many more threads and processes may be started, by the limits of the control groups and of the user.
 * Infinity where there is no limit, and on systems other than Linux.
 */
export const freeTasks = () => Math.max(0, Math.min(freeInControlGroups(), freeForUser()))

/**
 * Returns the content of a file of the kernel; empty when it cannot be read.
 * @param {string} file
 */
function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function freeInControlGroups() {
  let free = Number.POSITIVE_INFINITY
  for (const line of read('/proc/self/cgroup').split('\n')) {
    const [, controllers = '', group = ''] = line.split(':')
    if (controllers !== '' && controllers !== 'pids') continue
    const top = controllers === '' ? '/sys/fs/cgroup' : '/sys/fs/cgroup/pids'
    // A group cannot have more tasks than the groups that contain it.
    for (let folder = path.join(top, group); folder.startsWith(top); folder = path.dirname(folder)) {
      const [most, current] = ['max', 'current'].map((name) => read(path.join(folder, `pids.${name}`)).trim())
      if (most && current && most !== 'max') free = Math.min(free, Number(most) - Number(current))
    }
  }
  return free
}

/** The kernel does not apply the limit of a user to root. */
function freeForUser() {
  const user = process.getuid?.()
  const most = Number(
    /^Max processes\s+(\d+)/m.exec(read('/proc/self/limits'))?.[1] ?? Number.POSITIVE_INFINITY,
  )
  if (user === undefined || user === 0 || most > unlikelyLimit) return Number.POSITIVE_INFINITY
  return most - tasksOf(user)
}

/** A limit above this one leaves enough, so the tasks of the user need not be counted. */
const unlikelyLimit = 4000

/** @param {number} user */
function tasksOf(user) {
  let count = 0
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const folder = path.join('/proc', name)
    if (statSync(folder, { throwIfNoEntry: false })?.uid !== user) continue
    count += Number(/^Threads:\s+(\d+)/m.exec(read(path.join(folder, 'status')))?.[1] ?? 0)
  }
  return count
}
