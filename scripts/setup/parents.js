import { readFileSync } from 'node:fs'

const lookMs = 500

/**
 * Runs the listener when the npm that started this process is gone, however it went. npm puts a shell between; a process
 * whose parent ended gets another parent.
 * @param {() => void} listener
 */
export function onNpmGone(listener) {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const started = ancestors()
  const timer = setInterval(() => {
    if (ancestors() === started) return
    clearInterval(timer)
    listener()
  }, lookMs)
  timer.unref()
}

/** The parent, and its own parent where the parent is a shell (told on Linux only). */
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
