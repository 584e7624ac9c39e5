import { readFileSync } from 'node:fs'
import { unescapeOctal } from '../../shared/domain/octal-escapes.ts'

/** A mount: the folder or file `root` of a device appears at the path `point`. */
export type Mount = { readonly device: string; readonly root: string; readonly point: string }

/** Returns the mounts of this system, oldest first. Empty on systems without `/proc`. */
export function readMounts(): readonly Mount[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8').split('\n').flatMap(mountOf)
  } catch {
    return []
  }
}

function mountOf(row: string): Mount[] {
  const [, , device, root, point] = row.split(' ').map(unescapeOctal)
  return device === undefined || root === undefined || point === undefined ? [] : [{ device, root, point }]
}
