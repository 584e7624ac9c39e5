import { readFileSync } from 'node:fs'
import type { Path } from '../../../shared/domain/path.ts'

/** Tells which disk a path is on, as it is written: where it is mounted. Links may lead to others. */
export type Disks = (folder: string, path: Path) => string

/** Mounts come and go rarely; the kernel's list is read at most this often. */
const freshMs = 1000

export function createDisks(nowMs: () => number): Disks {
  let points: readonly string[] = []
  let readAtMs = Number.NEGATIVE_INFINITY
  return (folder, path) => {
    const atMs = nowMs()
    if (Math.abs(atMs - readAtMs) >= freshMs) {
      points = mountPoints()
      readAtMs = atMs
    }
    const place = `${folder}${path}/`
    return points.find((point) => place.startsWith(point)) ?? '/'
  }
}

/** With a slash at their ends, the longest first. */
function mountPoints(): readonly string[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8').split('\n').flatMap(mountPointOf).toSorted(byLength)
  } catch {
    return []
  }
}

const byLength = (one: string, other: string): number => other.length - one.length

function mountPointOf(row: string): string[] {
  const point = row.split(' ')[4]
  return point === undefined ? [] : [`${inPlain(point)}/`.replace('//', '/')]
}

/** The kernel writes blanks and the like in octal. */
export const inPlain = (text: string): string =>
  text.replace(/\\(\d{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
