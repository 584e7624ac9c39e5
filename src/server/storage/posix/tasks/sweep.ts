import { lstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { bytesOf, errnoOf, hold, openAnywhere, unlinkAt } from '../calls/descriptors.ts'
import { isStagedName } from '../reserved.ts'
import type { Scene } from '../resolve.ts'
import { removeTree } from './trees/tree.ts'

/** What became of staged paths: how many were removed, and those that could not be. */
export type Swept = { readonly removed: number; readonly left: readonly string[] }

/** Removes what a stopped server left under names of its own. Nothing else is touched, and nothing keeps the rest from going. */
export function sweepStaged(scene: Scene, { paths }: { readonly paths: readonly string[] }): Swept {
  let removed = 0
  const left: string[] = []
  for (const path of paths.filter((one) => isStagedName(basename(one)))) {
    try {
      removed += Number(removeStaged(scene, path))
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') left.push(path)
    }
  }
  return { removed, left }
}

/** False where nothing is. */
function removeStaged(scene: Scene, path: string): boolean {
  const facts = lstatSync(bytesOf(path), { throwIfNoEntry: false })
  if (facts === undefined) return false
  using folder = hold(openAnywhere(dirname(path)))
  const seat = { folder: folder.descriptor, name: basename(path) }
  if (facts.isDirectory()) removeTree(scene, seat, { isOurs: true })
  else unlinkAt(seat)
  return true
}
