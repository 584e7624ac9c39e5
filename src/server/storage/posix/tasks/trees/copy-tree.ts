import { AppError, codeOf } from '../../../../../shared/domain/failure.ts'
import type { Path } from '../../../../../shared/domain/path.ts'
import type { Facts, Seat } from '../../calls/calls.ts'
import {
  flushFolder,
  hold,
  makeFolderAt,
  openAt,
  opening,
  readLinkAt,
  realPathOf,
  reopen,
  symlinkAt,
} from '../../calls/descriptors.ts'
import { isSame, kindOf, type Identity } from '../../facts.ts'
import { asFailure } from '../../failures.ts'
import { placeNew } from '../../calls/place-new.ts'
import { isStagedName } from '../../reserved.ts'
import { find, isOwn, pathBelow, refuseOwnName } from '../../resolve.ts'
import type { Found, Scene } from '../../resolve.ts'
import { copyBytes, keepFacts, type Manner, type RoomyScene } from '../copy-bytes.ts'
import { copyOver } from '../copy-over.ts'
import { openSpotForBytes } from '../spot.ts'
import { noteStaged } from '../staged.ts'
import { childrenOf, openChild, removeTree } from './tree.ts'

type CopyTree = {
  /** Handles of both folders. */
  readonly from: number
  readonly into: number
  /** Where the source is inside the root. */
  readonly path: Path
  /** Where the other folder is inside the root if it was there before, and this is a merge; null for a folder of our own. */
  readonly to: Path | null
  /** Folders that something is being put into. To copy one of them would never end, or the source would go with the copy in it. */
  readonly landing: readonly Identity[]
  /**
   * `copy`: linked files as files, other links and special files left out. `exact`: for a move to another device; links as links,
   * special files refused, all flushed.
   */
  readonly manner: Manner
}

type WholeTree = {
  readonly source: Pick<Found, 'descriptor' | 'facts' | 'path'>
  readonly seat: Seat
  readonly manner: Manner
}

/** Copies a folder to a free name: out of sight, flushed, then put in place in one step. A failed copy leaves nothing. */
export async function copyWholeTree(anyScene: Scene, { source, seat, manner }: WholeTree): Promise<void> {
  const scene = flushedTogether(anyScene)
  const landing = [scene.calls.facts(seat.folder)]
  refuseLanding(source.facts, landing)
  const staged: Seat = { folder: seat.folder, name: scene.newStagedName() }
  await noteStaged(scene, staged)
  makeFolderAt(staged, 0o700)
  try {
    using folder = hold(openChild(staged.folder, staged.name))
    const { descriptor: from, path } = source
    await copyTree(scene, { from, into: folder.descriptor, path, to: null, landing, manner })
    keepFolderFacts(scene, { folder: folder.descriptor, facts: source.facts, manner })
    flushCopied(scene, folder.descriptor)
    placeNew(scene.calls, staged, seat)
  } catch (error) {
    removeTree(scene, staged, { isOurs: true })
    throw error
  }
}

/** A disk that is mounted in several places lets a folder lie below itself, and neither names nor the kernel tell. */
function refuseLanding(facts: Facts, landing: readonly Identity[]): void {
  if (landing.some((folder) => isSame(folder, facts))) throw new AppError('into-itself')
}

/** One flush of the disk is cheaper than one for each file. */
function flushedTogether(scene: Scene): RoomyScene {
  const { flushDisk } = scene.calls
  return flushDisk === null ? scene : { ...scene, unflushed: { bytes: 0, flush: flushDisk } }
}

/** Flushes what was copied into a folder; where the disk cannot be flushed as a whole, each part of it has been. */
export function flushCopied({ calls }: Scene, folder: number): void {
  if (calls.flushDisk === null) return
  using readable = hold(reopen(folder, opening.folder))
  calls.flushDisk(readable.descriptor)
}

/** Copies what is in a folder into another one; whoever asked has it flushed. */
export async function copyTree(scene: Scene, tree: CopyTree): Promise<void> {
  // Only a folder that was there before can be one where the server keeps something for itself.
  const standing = tree.to === null ? null : scene.calls.facts(tree.into)
  for (const { name } of childrenOf(scene, tree.from)) {
    scene.link.check()
    if (isStagedName(name)) continue
    if (standing !== null) refuseOwnName(scene, standing, name)
    await copyChild(scene, tree, name)
  }
  refuseRemoved(scene, tree.from)
}

/** Who removes a folder puts it aside first, and then empties it: what was read of it since may be a part. */
function refuseRemoved({ calls }: Scene, folder: number): void {
  const isGone = calls.facts(folder).links === 0
  if (isGone || realPathOf(folder).split('/').some(isStagedName)) throw new AppError('not-found')
}

async function copyChild(scene: Scene, tree: CopyTree, name: string): Promise<void> {
  using child = hold(openAt({ folder: tree.from, name }, opening.handle))
  const facts = scene.calls.facts(child.descriptor)
  const kind = kindOf(facts)
  const seat: Seat = { folder: tree.into, name }
  if (kind === 'folder') await copySubfolder(scene, treeBelow(tree, child.descriptor, name), { seat, facts })
  else if (kind === 'file') await copyFile(scene, tree, { source: child.descriptor, facts, seat })
  else if (kind === 'link') await copyLink(scene, tree, seat)
  else if (tree.manner === 'exact') throw new AppError('unsupported')
}

const treeBelow = (tree: CopyTree, from: number, name: string): CopyTree => ({
  ...tree,
  from,
  path: pathBelow(tree.path, name),
  to: tree.to === null ? null : pathBelow(tree.to, name),
})

type Place = { readonly seat: Seat; readonly facts: Facts }

async function copySubfolder(scene: Scene, tree: CopyTree, { seat, facts }: Place): Promise<void> {
  refuseLanding(facts, tree.landing)
  const standing = tree.to === null ? null : scene.calls.lookAt(seat)
  if (standing !== null && kindOf(standing) !== 'folder') throw new AppError('name-taken')
  if (standing === null) makeFolderAt(seat, 0o700)
  using into = hold(openChild(seat.folder, seat.name))
  const landing = standing === null ? tree.landing : [...tree.landing, standing]
  await copyTree(scene, { ...tree, into: into.descriptor, landing })
  if (standing === null) keepFolderFacts(scene, { folder: into.descriptor, facts, manner: tree.manner })
}

type Keeping = { readonly folder: number; readonly facts: Facts; readonly manner: Manner }

function keepFolderFacts({ calls }: Scene, { folder, facts, manner }: Keeping): void {
  using readable = hold(reopen(folder, opening.folder))
  keepFacts(readable.descriptor, facts, manner)
  if (calls.flushDisk === null) flushFolder(folder)
}

type Bytes = Place & { readonly source: number }

async function copyFile(scene: Scene, { manner, to }: CopyTree, bytes: Bytes): Promise<void> {
  if (isOwn(scene, bytes.facts)) throw new AppError('forbidden')
  if (to === null) return copyBytes(scene, { ...bytes, manner })
  const standing = scene.calls.lookAt(bytes.seat)
  if (standing === null || kindOf(standing) !== 'link') return copyOnto(scene, bytes, standing)
  // As a copy of the file alone: what the link leads to is changed, and one that leaves is refused.
  using spot = await openSpotForBytes(scene, pathBelow(to, bytes.seat.name), { dirMode: null })
  await copyOnto(scene, { ...bytes, seat: spot.seat }, scene.calls.lookAt(spot.seat))
  flushFolder(spot.folder.descriptor)
}

async function copyOnto(scene: Scene, bytes: Bytes, standing: Facts | null): Promise<void> {
  if (standing !== null) {
    if (isOwn(scene, standing)) throw new AppError('forbidden')
    if (kindOf(standing) === 'folder') throw new AppError('is-a-folder')
    if (kindOf(standing) !== 'file') throw new AppError('forbidden')
  }
  await copyOver(scene, { ...bytes, standing, manner: 'copy' })
}

/** A linked file inside is taken as a file; a link that leads nowhere, out, or to a folder is passed over. */
async function copyLink(scene: Scene, tree: CopyTree, seat: Seat): Promise<void> {
  if (tree.manner === 'exact') return symlinkAt(readLinkAt({ folder: tree.from, name: seat.name }), seat)
  const target = await findOrNull(scene, pathBelow(tree.path, seat.name))
  if (target === null) return
  using found = target
  if (kindOf(found.facts) !== 'file') return
  await copyFile(scene, tree, { source: found.descriptor, facts: found.facts, seat })
}

/** Why a link is passed over; what a disk cannot tell is no such reason, and the copy would be told to be whole. */
const passedOver: readonly string[] = ['forbidden', 'not-found', 'not-a-folder', 'link-loop']

async function findOrNull(scene: Scene, path: Path): Promise<Found | null> {
  try {
    return await find(scene, path)
  } catch (error) {
    scene.link.check()
    if (!passedOver.includes(codeOf(asFailure(error)))) throw error
    return null
  }
}
