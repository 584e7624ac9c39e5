import { setImmediate as breathe } from 'node:timers/promises'
import type { Path } from '../../../../../shared/domain/path.ts'
import type { Facts } from '../../calls/calls.ts'
import { errnoOf, hold, openAt, opening, reopen } from '../../calls/descriptors.ts'
import { nameAt } from '../../calls/packed-names.ts'
import { kindOf } from '../../facts.ts'
import { mark, marksOf } from '../../listing/seen.ts'
import { find, isOwn, pathBelow } from '../../resolve.ts'
import type { Found, Scene } from '../../resolve.ts'

export type Measure = {
  readonly path: Path
  /** Links to files count as copies of these. */
  readonly follows: boolean
}

/** Other tasks of the thread wait no longer than this. */
const turnMs = 8

type Measuring = { readonly scene: Scene; readonly follows: boolean; breathedAtMs: number }

/** The bytes of all files at and below a path, by their names. Rules below it are not asked; what cannot be opened holds nothing. */
export async function measure(scene: Scene, { path, follows }: Measure): Promise<number> {
  using found = await find(scene, path)
  if (kindOf(found.facts) !== 'folder') return bytesOf(scene, found.facts)
  return measureFolder({ scene, follows, breathedAtMs: performance.now() }, found)
}

const bytesOf = (scene: Scene, facts: Facts): number =>
  kindOf(facts) === 'file' && !isOwn(scene, facts) ? facts.sizeBytes : 0

type Folder = Pick<Found, 'descriptor' | 'path'>

async function measureFolder(measuring: Measuring, { descriptor, path }: Folder): Promise<number> {
  using folder = hold(reopen(descriptor, opening.folder))
  const { sumBytes, folders, links } = look(measuring.scene, { descriptor: folder.descriptor, path })
  let sum = sumBytes
  if (measuring.follows) for (const name of links) sum += await linkedBytes(measuring.scene, path, name)
  for (const name of folders) sum += await enter(measuring, { descriptor: folder.descriptor, path }, name)
  return sum
}

/** A folder that cannot be read, or has gone by now, holds nothing. */
async function enter(measuring: Measuring, above: Folder, name: string): Promise<number> {
  measuring.scene.link.check()
  await giveTurn(measuring)
  try {
    using child = hold(openAt({ folder: above.descriptor, name }, opening.folderHandle))
    return await measureFolder(measuring, { descriptor: child.descriptor, path: pathBelow(above.path, name) })
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'].includes(errnoOf(error))) throw error
    return 0
  }
}

type Looked = { readonly sumBytes: number; readonly folders: string[]; readonly links: string[] }

/** What lies directly in an open folder, without what is the server's. */
function look(scene: Scene, { descriptor, path }: Folder): Looked {
  const names = scene.calls.readNames(descriptor)
  const found = { path, facts: scene.calls.facts(descriptor) }
  const marks = marksOf(scene, { folder: descriptor, found, names })
  const [folders, links]: [string[], string[]] = [[], []]
  let sumBytes = 0
  for (let index = 0; index < names.count; index += 1) {
    if (index % 1024 === 0) scene.link.check()
    const name = nameAt(names, index)
    if (marks[index] === mark.folder) folders.push(name)
    else if (marks[index] === mark.link) links.push(name)
    else if (marks[index] === mark.plain) sumBytes += fileBytes(scene, descriptor, name)
  }
  return { sumBytes, folders, links }
}

/** Nothing for one that has gone meanwhile. */
function fileBytes(scene: Scene, folder: number, name: string): number {
  try {
    return bytesOf(scene, scene.calls.factsAt({ folder, name }))
  } catch {
    return 0
  }
}

/** Of the file that a link leads to; nothing for one that leads elsewhere. */
async function linkedBytes(scene: Scene, folder: Path, name: string): Promise<number> {
  try {
    using found = await find(scene, pathBelow(folder, name))
    return bytesOf(scene, found.facts)
  } catch {
    scene.link.check()
    return 0
  }
}

async function giveTurn(measuring: Measuring): Promise<void> {
  if (performance.now() - measuring.breathedAtMs < turnMs) return
  await breathe()
  measuring.breathedAtMs = performance.now()
}
