import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Returns the number of inotify watches of a process. */
export function watchesOf(pid: number): number {
  const folder = `/proc/${pid}/fdinfo`
  return readdirSync(folder).reduce((sum, name) => sum + watchesOfDescriptor(path.join(folder, name)), 0)
}

function watchesOfDescriptor(file: string): number {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('inotify wd:')).length
  } catch {
    // The descriptor was closed since the folder was read.
    return 0
  }
}
