import { compareText } from '../../../../../shared/domain/sorting.ts'
import type { Entry } from '../../../../../shared/domain/entry.ts'
import type { Path } from '../../../../../shared/domain/path.ts'
import type { Facts } from '../../calls/calls.ts'
import { errnoOf, hold, opening, reopen } from '../../calls/descriptors.ts'
import { entryKind, nameAt } from '../../calls/packed-names.ts'
import { entryOf, isSame, kindOf, linkEntryOf } from '../../facts.ts'
import type { Seen } from '../../listing/seen.ts'
import { whatIsSeen } from '../../listing/seen.ts'
import { findFolder, pathBelow } from '../../resolve.ts'
import type { Found, Scene } from '../../resolve.ts'
import { openChild } from './tree.ts'

export type WalkedEntry = Entry & { readonly path: Path }

/** Entries sent at once. */
const batchRows = 1024

/** An entry on the way: what it is, and the open folder that it lies in. */
export type Visited = {
  readonly folder: Found
  readonly name: string
  readonly facts: Facts
  /** Where a link leads: null to nothing. */
  readonly target: Facts | null | undefined
  /** As asked for. */
  readonly path: Path
}

type Placed = Pick<Visited, 'folder' | 'name' | 'path'>

type Walk = {
  readonly scene: Scene
  readonly visit: (visited: Visited) => Promise<void>
  /** Has what its folder calls a file visited without a look at it: for whoever opens it anyway. */
  readonly visitFile?: (file: Placed) => Promise<void>
}

/** Everything below a folder, depth first, names in byte order. */
export async function walk(scene: Scene, { path }: { readonly path: Path }): Promise<void> {
  using found = await findFolder(scene, path)
  let batch: WalkedEntry[] = []
  async function visit({ name, facts, target, path: below }: Visited): Promise<void> {
    batch.push({ ...entryWith(name, facts, target), path: below })
    if (batch.length < batchRows) return
    await scene.link.emit(batch)
    batch = []
  }
  await walkFolder({ scene, visit }, found, path)
  if (batch.length > 0) await scene.link.emit(batch)
}

/** Visits everything below an open folder, each folder before what is in it. */
export async function walkFolder(walk: Walk, found: Found, path: Path): Promise<void> {
  const { scene } = walk
  const { names, seen } = await readFolder(scene, found, path)
  for (const { name, index, isFile } of names) {
    const below = pathBelow(path, name)
    if (isFile && walk.visitFile !== undefined) {
      await walk.visitFile({ folder: found, name, path: below })
      continue
    }
    const facts = factsOrGone(scene, found.descriptor, name)
    if (facts === null) continue
    await walk.visit({ folder: found, name, facts, target: seen.links.get(index), path: below })
    if (kindOf(facts) === 'folder') await enter(walk, { above: found, name, facts, path: below })
  }
}

type Entering = { readonly above: Found; readonly name: string; readonly facts: Facts; readonly path: Path }

/** A folder that cannot be read, or is another by now, is passed over. */
async function enter(walk: Walk, { above, name, facts, path }: Entering): Promise<void> {
  walk.scene.link.check()
  try {
    using folder = hold(openChild(above.descriptor, name))
    if (!isSame(walk.scene.calls.facts(folder.descriptor), facts)) return
    const found: Found = {
      descriptor: folder.descriptor,
      facts,
      path: pathBelow(above.path, name),
      [Symbol.dispose]() {},
    }
    await walkFolder(walk, found, path)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'].includes(errnoOf(error))) throw error
  }
}

/** `isFile`: the folder says so, though it may be something else by now. */
type Named = { readonly name: string; readonly index: number; readonly isFile: boolean }

async function readFolder(scene: Scene, found: Found, path: Path): Promise<{ names: Named[]; seen: Seen }> {
  using folder = hold(reopen(found.descriptor, opening.folder))
  const names = scene.calls.readNames(folder.descriptor)
  const seen = await whatIsSeen(scene, { folder: folder.descriptor, found, path, names })
  const named = [...seen.folders, ...seen.others].map((index) => ({
    index,
    name: nameAt(names, index),
    isFile: names.kinds[index] === entryKind.file,
  }))
  return { names: named.sort((a, b) => compareText(a.name, b.name)), seen }
}

function factsOrGone({ calls }: Scene, folder: number, name: string): Facts | null {
  try {
    return calls.factsAt({ folder, name })
  } catch {
    return null
  }
}

/** An entry as seen on the way; of a link also what it leads to. */
export function entryWith(name: string, facts: Facts, target: Facts | null | undefined): Entry {
  if (kindOf(facts) !== 'link') return entryOf(name, facts)
  return linkEntryOf(name, facts, target ?? null)
}
