import { lstatSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { bytesOf } from '../calls/descriptors.ts'
import { isStagedName } from '../reserved.ts'
import type { Scene } from '../resolve.ts'

/** Removes what a stopped server left under names of its own; gives how many there were. Nothing else is touched. */
export function sweepStaged(_scene: Scene, { paths }: { readonly paths: readonly string[] }): number {
  return paths.filter((path) => {
    const place = bytesOf(path)
    if (!isStagedName(basename(path)) || lstatSync(place, { throwIfNoEntry: false }) === undefined)
      return false
    rmSync(place, { recursive: true, force: true })
    return true
  }).length
}
