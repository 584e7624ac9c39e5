import { readFileSync } from 'node:fs'

/** Interval in ms at which the parent processes are checked. */
const pollMs = 500

/**
 * Calls the listener when the npm that started this process has ended, whatever the cause. npm runs scripts in a shell,
 * and a process whose parent ended gets another parent.
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

/** Returns the parent's id and, where the parent is a shell, its parent's id too (on Linux only). */
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
