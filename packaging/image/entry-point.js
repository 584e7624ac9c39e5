import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  checkVolumes,
  isRootless,
  isServing,
  mountsIn,
  newVolumes,
  servingUser,
  StartRefusal,
  umaskOf,
  withImageDefaults,
} from './start-plan.js'

/**
 * The entry point of the container image, which is also `stowage` in its search path. A container that starts as root has
 * root only in the first lines, which read three variables and look at two folders: everything else happens as the user of
 * `PUID` and `PGID`. The server replaces this process. Below it, `tini` is the first process of the container: it forwards
 * signals, and collects the processes that others have left behind.
 */
const init = '/usr/bin/tini'
const program = fileURLToPath(new URL('../bin/stowage.js', import.meta.url))

try {
  becomeServingUser()
  start(process.argv.slice(2))
} catch (thrown) {
  if (!(thrown instanceof StartRefusal)) throw thrown
  process.stderr.write(`stowage: ${thrown.message}\n`)
  process.exitCode = 1
}

function becomeServingUser() {
  const umask = umaskOf(process.env)
  if (umask !== null) process.umask(umask)
  if (process.getuid?.() !== 0) return
  const { uid, gid } = servingUser(process.env)
  // In a rootless container, "root" owns the folders of the person who starts it, who would lose them.
  if (!hasRootlessRoot()) adoptNewVolumes(uid, gid)
  if (uid === 0 && !hasRootlessRoot())
    process.stderr.write('Warning: the server has all rights of root, because PUID is 0.\n')
  // A container without CAP_SETGID may not even set the groups that it has.
  if (uid === 0 && gid === process.getgid?.()) return
  const otherGroups = (process.getgroups?.() ?? []).filter((group) => group !== 0 && group !== gid)
  try {
    process.setgroups?.([gid, ...otherGroups])
    process.setgid?.(gid)
    process.setuid?.(uid)
  } catch {
    throw new StartRefusal(
      `This container may not change its user. Allow it (cap_add: SETUID, SETGID), or start it as the user (user: ${uid}:${gid}).`,
    )
  }
}

function hasRootlessRoot() {
  return isRootless(readFileSync('/proc/self/uid_map', 'utf8'))
}

/**
 * Gives empty volumes of root to the serving user. Container runtimes create a folder as root when it does not exist on the
 * host. Nothing else changes its owner.
 * @param {number} uid
 * @param {number} gid
 */
function adoptNewVolumes(uid, gid) {
  for (const folder of newVolumes)
    try {
      if (statSync(folder).uid === 0 && readdirSync(folder).length === 0) chownSync(folder, uid, gid)
    } catch {
      // The check of the volumes tells what is missing.
    }
}

/** @param {readonly string[]} given */
function start(given) {
  const files = containerFiles()
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  if (isServing(given))
    for (const warning of checkVolumes({ args: given, env: process.env, user, files }))
      process.stderr.write(`${warning}\n`)
  const { args, env } = withImageDefaults(given, { ...process.env, HOME: '/' }, files)
  const command = [process.execPath, program, ...args]
  const isFirst = process.pid === 1
  process.execve?.(isFirst ? init : process.execPath, isFirst ? [init, '--', ...command] : command, {
    ...env,
  })
}

/** @returns {import('./start-plan.js').ContainerFiles} */
function containerFiles() {
  return {
    exists: existsSync,
    isPrivate,
    owner(path) {
      const { uid, gid } = statSync(path)
      return `${uid}:${gid}`
    },
    canRead: (path) => isAllowed(path, constants.R_OK),
    canWrite: (path) => isAllowed(path, constants.W_OK),
    mounts: mountsIn(readFileSync('/proc/self/mountinfo', 'utf8')),
    isOriginalDatabase,
    isRootless: hasRootlessRoot(),
  }
}

/**
 * True for an existing file that only its owner can access, in a folder that this process may enter.
 * @param {string} path
 */
function isPrivate(path) {
  try {
    return (statSync(path).mode & 0o077) === 0
  } catch {
    return false
  }
}

/**
 * True for a database of File Browser, which is one of bbolt: its first page has this number behind a header of 16 bytes.
 * @param {string} path
 */
function isOriginalDatabase(path) {
  try {
    const start = new DataView(new ArrayBuffer(20))
    const file = openSync(path, 'r')
    readSync(file, start)
    closeSync(file)
    return start.getUint32(16, true) === 0xed_0c_da_ed
  } catch {
    return false
  }
}

/**
 * True when the process has a right to a file, or that right and the one to search to a folder.
 * @param {string} path
 * @param {number} mode
 */
function isAllowed(path, mode) {
  try {
    accessSync(path, statSync(path).isDirectory() ? mode | constants.X_OK : mode)
    return true
  } catch {
    return false
  }
}
