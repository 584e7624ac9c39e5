import { readFileSync } from 'node:fs'
import { unescapeOctal } from '../../../../shared/domain/octal-escapes.ts'
import type { DiskPath } from '../../disk-path.ts'
import { mountIdOf } from './descriptors.ts'

/**
 * Returns the mount point of the disk that contains a path. Links in the path are not followed, although they may lead
 * to other disks.
 */
export type MountPointLookup = (path: DiskPath) => string

/**
 * Time in milliseconds for which the kernel's list of mounts is cached. Mounts change rarely, and a new mount is
 * noticed after at most one second.
 */
const freshMs = 1000

/** Creates a lookup that caches the kernel's list of mounts. */
export function createMountPointLookup(nowMs: () => number): MountPointLookup {
  let points: readonly string[] = []
  let readAtMs = Number.NEGATIVE_INFINITY
  return (path) => {
    const atMs = nowMs()
    if (Math.abs(atMs - readAtMs) >= freshMs) {
      points = mountPoints()
      readAtMs = atMs
    }
    const place = `${path}/`
    return points.find((point) => place.startsWith(point)) ?? '/'
  }
}

/** Returns all mount points with a trailing slash, longest first. Empty where the system does not list them. */
export function mountPoints(): readonly string[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .flatMap(parseMountPoint)
      .toSorted(byLength)
  } catch {
    return []
  }
}

const byLength = (one: string, other: string): number => other.length - one.length

function parseMountPoint(row: string): string[] {
  const point = row.split(' ')[4]
  return point === undefined ? [] : [`${unescapeOctal(point)}/`.replace('//', '/')]
}

/**
 * Returns the id and the mount point of the mount that contains an open folder, or null when that mount no longer
 * exists.
 */
export function mountOf(descriptor: number): { readonly id: string; readonly point: string } | null {
  const id = mountIdOf(descriptor)
  const rows = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  const row = rows.find((line) => line.startsWith(`${id} `))
  const point = row?.split(' ')[4]
  return point === undefined ? null : { id, point: unescapeOctal(point) }
}
