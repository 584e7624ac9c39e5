import { readFileSync } from 'node:fs'

/**
 * Interval in ms at which the parent processes are checked. A listener is called at most half a second after npm has
 * ended.
 */
const pollMs = 500

/**
 * Calls the listener when the npm process that started this process has ended for any reason. npm runs scripts in a
 * shell, so the shell's parent is checked too. When a parent ends, the system assigns another parent id, and this
 * change is detected.
 * @param {() => void} listener
 */
export function onNpmExit(listener) {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const originalAncestors = ancestors()
  const timer = setInterval(() => {
    if (ancestors() === originalAncestors) return
    clearInterval(timer)
    listener()
  }, pollMs)
  timer.unref()
}

/**
 * Returns the process id of the parent. When the parent is a shell, the id of the shell's parent is added (on Linux
 * only).
 */
function ancestors() {
  const parent = process.ppid
  return isShell(parent) ? `${parent} ${parentOf(parent)}` : String(parent)
}

/** @param {number} id */
const parentOf = (id) => /^PPid:\s*(\d+)$/m.exec(read(`/proc/${id}/status`))?.[1] ?? ''

/** @param {number} id */
const isShell = (id) => read(`/proc/${id}/comm`).trim().endsWith('sh')

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
